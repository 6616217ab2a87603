// npm test: everything, on a machine that has nothing but Node, npm and apt.
// npm test -- landing: the unit and browser tests with "landing" in the name of their file or in a title.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { BROWSER_CHECK, STATIC_CHECKS, UNIT_CHECK, matchingChecks, runChecks } from './checks.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';
import { ROOT } from './run.mjs';

const [, , word] = process.argv;
rmSync(join(ROOT, 'test-results'), { recursive: true, force: true });
await installPackages();
await installTestPrograms();
await build();
process.exitCode = await (word === undefined
  ? runChecks(STATIC_CHECKS, [UNIT_CHECK, BROWSER_CHECK])
  : runChecks(matchingChecks(word)));
