import { createServer } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.ts';

const PAGE =
  '<!doctype html><title>harness</title><link rel="icon" href="data:,"><script src="/harness.js"></script>';

/** Serves a page on loopback that has nothing but the engine, as `window.harness`. */
export async function startHarness(): Promise<{ readonly url: string; readonly close: () => void }> {
  const script = await bundleHarness();
  const server = createServer((request, response) => {
    const isScript = request.url === '/harness.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : PAGE);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://harness.localhost:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bundleHarness(): Promise<string> {
  // Imported here, because every worker loads this file, and few need Vite.
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: { input: 'e2e/harness/main.ts', output: { format: 'iife' } },
    },
  });
  const [bundle] = [built].flat();
  const chunk = bundle && 'output' in bundle ? bundle.output[0] : undefined;
  if (!chunk) throw new Error('the harness was not built');
  return chunk.code;
}
