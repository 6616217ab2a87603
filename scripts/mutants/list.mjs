import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../run.mjs';
import { DESK_MUTANTS } from './desk.mjs';
import { ENGINE_MUTANTS } from './engine.mjs';
import { PAGE_MUTANTS } from './pages.mjs';
import { RECORDING_MUTANTS } from './recordings.mjs';
import { SERVER_MUTANTS } from './server.mjs';
import { VISIT_MUTANTS } from './visits.mjs';

/**
 * Each mutant is one change that breaks one rule:
 * - `file`, `find`, `replace`: the text that stands there exactly once, and what is put in its place;
 * - `tests`: the unit tests that should notice; `title`, where only some of their tests need to run;
 * - or `spec` and `title`: a browser test, where only a browser can notice;
 * - `loses`: what a visitor or an operator would lose.
 */
export const MUTANTS = [
  ...ENGINE_MUTANTS,
  ...PAGE_MUTANTS,
  ...SERVER_MUTANTS,
  ...DESK_MUTANTS,
  ...RECORDING_MUTANTS,
  ...VISIT_MUTANTS,
];

/** Says which entries no longer fit the code: the code has moved, and the list must follow. */
export function findStaleMutants() {
  return MUTANTS.flatMap(({ file, find, tests, spec }) => {
    const count = (readText(file) ?? '').split(find).length - 1;
    if (count !== 1)
      return [`scripts/mutants: ${file} has this text ${count} times instead of once: ${find}`];
    return (tests ?? [spec])
      .filter((test) => readText(test) === undefined)
      .map((test) => `scripts/mutants: ${test}, which should notice a change of ${file}, is not there`);
  });
}

function readText(file) {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return undefined; // The caller says which file is missing.
  }
}
