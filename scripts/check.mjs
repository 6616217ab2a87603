// npm run check: everything that needs no browser.
import { build } from './build.mjs';
import { STATIC_CHECKS, UNIT_CHECK, runChecks } from './checks.mjs';
import { installPackages } from './install-packages.mjs';

await installPackages();
await build();
process.exitCode = await runChecks(STATIC_CHECKS, [UNIT_CHECK]);
