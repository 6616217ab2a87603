// Checks that every mutant still fits the code, so that `npm run mutate` breaks what it says.
import { findStaleMutants } from './mutants/list.mjs';

const stale = findStaleMutants();
for (const fault of stale) console.error(fault);
process.exitCode = stale.length === 0 ? 0 : 1;
