// npm run shots [-- NAME …]: pictures of the visitors’ pages in every state, at five widths, in test-results/shots.
// npm run shots -- console [NAME …]: of every view of the console, light and dark.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';
import { ROOT } from './run.mjs';

await installPackages();
await installTestPrograms();
await build();
const out = join(ROOT, 'test-results', 'shots');
mkdirSync(out, { recursive: true });
const { runnerImport } = await import('vite');
const [first, ...rest] = process.argv.slice(2);
if (first === 'console') {
  const { module: shots } = await runnerImport('./e2e/support/take-console-shots.ts');
  await shots.takeConsoleShots({ out, only: rest });
} else {
  const { module: shots } = await runnerImport('./e2e/support/take-shots.ts');
  await shots.takeShots({ out, only: process.argv.slice(2) });
}
