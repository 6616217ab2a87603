// npm run shots [-- NAME …]: pictures of the landing page in every state, width and language, in test-results/shots.
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
const { module: shots } = await runnerImport('./e2e/support/take-shots.ts');
await shots.takeShots({ out, only: process.argv.slice(2) });
