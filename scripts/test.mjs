// npm test: everything, on a machine that has nothing but Node, npm and apt.
// npm test -- webkit: the tests in WebKit alone, which are no part of npm test.
// npm test -- landing: the unit and browser tests with "landing" in the name of their file or in a title.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { BROWSER_CHECK, FAST_CHECKS, WEBKIT, matchingChecks, runChecks } from './checks.mjs';
import { installPackages } from './install-packages.mjs';
import { WEBKIT_PROGRAMS, installTestPrograms } from './install-test-programs.mjs';
import { ROOT } from './run.mjs';

const [, , word] = process.argv;
rmSync(join(ROOT, 'test-results'), { recursive: true, force: true });
await installPackages();
await installTestPrograms();
if (word === WEBKIT) await installTestPrograms(WEBKIT_PROGRAMS);
await build();
process.exitCode = await runChecks(
  word === undefined ? [...FAST_CHECKS, BROWSER_CHECK] : matchingChecks(word),
);
