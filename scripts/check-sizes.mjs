// Holds what a visitor downloads against its budget: brotli, as it is served.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from './run.mjs';

const BUDGETS = [{ title: 'script of /r', file: 'dist/web/redirect/redirect.js', maxBytes: 3_584 }];

for (const { title, file, maxBytes } of BUDGETS) {
  const bytes = brotliCompressSync(readFileSync(join(ROOT, file))).length;
  const isWithin = bytes <= maxBytes;
  process.stdout.write(`${isWithin ? '✓' : '✗'} ${title}: ${bytes} of ${maxBytes} bytes\n`);
  if (!isWithin) process.exitCode = 1;
}
