// npm run soak [-- --minutes N --seed N]: the tests of which npm test does only a part, whole; then two portals,
// PostgreSQL and nginx, with lines that come and go.
import { build } from './build.mjs';
import { LONG_CHECKS, runChecks } from './checks.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';

await installPackages();
await installTestPrograms();
await build();
process.env.WAYPOST_SOAK = '1';
const failed = await runChecks(LONG_CHECKS);
const { runnerImport } = await import('vite');
const { module: soak } = await runnerImport('./bench/soak/main.ts');
process.exitCode = (await soak.main(process.argv.slice(2))) || failed;
