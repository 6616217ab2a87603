// npm run soak [-- --minutes N | --short] [--seed N] [--load]: the tests of which npm test does only a part, whole; then
// 60 visits a second to two portals, PostgreSQL and nginx, with 40 lines that come and go, for ten minutes or, with --short, for one.
// --load leaves the tests out.
import { build } from './build.mjs';
import { LONG_CHECKS, runChecks } from './checks.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';

await installPackages();
await installTestPrograms();
await build();
process.env.WAYPOST_SOAK = '1';
const args = process.argv.slice(2);
const failed = args.includes('--load') ? 0 : await runChecks(LONG_CHECKS);
const { runnerImport } = await import('vite');
const { module: soak } = await runnerImport('./bench/soak/main.ts');
process.exitCode = (await soak.main(args.filter((arg) => arg !== '--load'))) || failed;
