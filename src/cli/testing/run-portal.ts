import { createFakeWebBuild } from '../../server/testing/fake-web-build.ts';
import { servePortal } from '../serve-portal.ts';

/** Runs `waypost serve` with a fake web build. Tells the parent process where it listens. */
export async function runPortal(siteDir: string, dataDir: string, port = '0'): Promise<void> {
  const serving = servePortal({
    siteDir,
    dataDir,
    host: '127.0.0.1',
    port: Number(port),
    opsHost: '127.0.0.1',
    opsPort: 0,
    web: await createFakeWebBuild(),
    isTerminal: false,
    watchdogLimitMs: 30_000,
    onListening: ({ url, opsUrl }) => process.send?.({ url, opsUrl }),
  });
  await serving.catch((error: unknown) => {
    console.error(String(error));
    process.exitCode = 1;
  });
  process.disconnect();
}
