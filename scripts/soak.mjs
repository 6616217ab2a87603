// npm run soak [-- --minutes N --seed N]: two portals, Redis and nginx, with lines that come and go.
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';

await installPackages();
await installTestPrograms();
await build();
const { runnerImport } = await import('vite');
const { module: soak } = await runnerImport('./bench/soak/main.ts');
process.exitCode = await soak.main(process.argv.slice(2));
