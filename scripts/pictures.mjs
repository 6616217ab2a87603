// npm run pictures [-- NAME …]: the pictures of the README and the docs, from a demo with simulated visitors, in docs/pictures.
import { join } from 'node:path';
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';
import { ROOT } from './run.mjs';

await installPackages();
await installTestPrograms();
await build();
const { runnerImport } = await import('vite');
const { module: pictures } = await runnerImport('./e2e/support/take-pictures.ts');
await pictures.takePictures({ out: join(ROOT, 'docs/pictures'), only: process.argv.slice(2) });
