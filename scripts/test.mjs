// npm test: everything, on a machine that has nothing but Node, npm and apt.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { BROWSER_CHECK, FAST_CHECKS, runChecks } from './checks.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';
import { ROOT } from './run.mjs';

rmSync(join(ROOT, 'test-results'), { recursive: true, force: true });
await installPackages();
await installTestPrograms();
await build();
process.exitCode = await runChecks([...FAST_CHECKS, BROWSER_CHECK]);
