// npm run check: everything that needs no browser.
import { build } from './build.mjs';
import { FAST_CHECKS, runChecks } from './checks.mjs';
import { installPackages } from './install-packages.mjs';

await installPackages();
await build();
process.exitCode = await runChecks(FAST_CHECKS);
