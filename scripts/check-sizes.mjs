// Holds what a visitor downloads against its budget: brotli, as it is served.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from './run.mjs';

const BUDGETS = [
  { title: 'script of /r', measure: () => measureFile('dist/web/redirect/redirect.js'), maxBytes: 3_584 },
  { title: 'page /r, its script inside', measure: () => measurePage('/r'), maxBytes: 5_000 },
  // One flight of a new TCP connection brings 10 segments: the whole page is there with the first answer.
  { title: 'page /t, all inside', measure: () => measurePage('/t/localhost'), maxBytes: 10_000 },
];

for (const { title, measure, maxBytes } of BUDGETS) {
  const bytes = await measure();
  const isWithin = bytes <= maxBytes;
  process.stdout.write(`${isWithin ? '✓' : '✗'} ${title}: ${bytes} of ${maxBytes} bytes\n`);
  if (!isWithin) process.exitCode = 1;
}

function measureFile(file) {
  return brotliCompressSync(readFileSync(join(ROOT, file))).length;
}

/** Asks the built portal for a page of the demo brand. */
async function measurePage(path) {
  const { startServer } = await import('../dist/server/main.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'waypost-'));
  const loopback = { host: '127.0.0.1', port: 0, opsHost: '127.0.0.1', opsPort: 0 };
  const log = (await import('pino')).pino({ level: 'silent' });
  const server = await startServer({ siteDir: join(ROOT, 'site'), dataDir, ...loopback, log });
  // By this name, which `/t` lets pass.
  const url = `http://localhost:${new URL(server.url).port}${path}`;
  const answer = await fetch(url, { headers: { 'Accept-Encoding': 'br' }, redirect: 'error' });
  await server.close();
  rmSync(dataDir, { recursive: true });
  return Number(answer.headers.get('content-length'));
}
