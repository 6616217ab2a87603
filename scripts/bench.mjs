// npm run bench [-- NAME …]: prints the measured claims.
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';

await installPackages();
await installTestPrograms();
await build();
const { runnerImport } = await import('vite');
const { module: bench } = await runnerImport('./bench/main.ts');
process.exitCode = await bench.main(process.argv.slice(2));
