// npm run mutate [-- FILTER]: breaks one rule at a time in a copy of the project, and names the breaks that no test notices.
import { availableParallelism } from 'node:os';
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';
import { installTestPrograms } from './install-test-programs.mjs';
import { MUTANTS, findStaleMutants } from './mutants/list.mjs';
import { openWorkshop } from './mutants/workshop.mjs';

/** More copies would only slow each other down. */
const MAX_WORKSHOPS = 4;

process.exitCode = await mutate(process.argv[2] ?? '');

/** Tries every mutant whose entry contains the filter. Resolves with the exit status. */
async function mutate(filter) {
  const stale = findStaleMutants();
  if (stale.length > 0) return fail(stale);
  const chosen = MUTANTS.filter((mutant) => JSON.stringify(mutant).includes(filter));
  if (chosen.length === 0) return fail([`no mutant has "${filter}" in its entry`]);
  await installPackages();
  // The copies take the built workers along: the store and the desk start them from dist.
  await build();
  const unit = chosen.filter(({ spec }) => spec === undefined);
  const inBrowser = chosen.filter(({ spec }) => spec !== undefined);
  if (inBrowser.length > 0) await installTestPrograms();
  const results = [
    ...(await tryAll(unit, Math.min(MAX_WORKSHOPS, availableParallelism(), unit.length))),
    // One at a time: a browser takes the whole machine.
    ...(await tryAll(inBrowser, Math.min(1, inBrowser.length))),
  ];
  const survivors = results.filter(({ verdict }) => verdict === 'survived');
  const broken = results.filter(({ verdict }) => verdict === 'broken');
  console.log(
    `\n${results.length} mutants, ${survivors.length} survived, ${broken.length} could not be tried`,
  );
  return survivors.length + broken.length === 0 ? 0 : 1;
}

/** Tries these mutants in several copies of the project at once. */
async function tryAll(mutants, count) {
  const workshops = Array.from({ length: count }, openWorkshop);
  try {
    // A test that fails without a mutant would kill every one of them.
    const [first] = workshops;
    const fault = first && (await first.runUnchanged(mutants));
    if (fault) {
      console.error(fault);
      return [{ verdict: 'broken' }];
    }
    const queue = [...mutants];
    const results = [];
    const work = async (workshop) => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const result = await workshop.tryMutant(mutant);
        results.push(result);
        report(mutant, result);
      }
    };
    await Promise.all(workshops.map(work));
    return results;
  } finally {
    for (const workshop of workshops) workshop.close();
  }
}

function report({ file, find, replace, loses }, { verdict, detail }) {
  console.log(`${verdict.padEnd(9)} ${file}: ${loses}`);
  if (verdict === 'killed') console.log(`          by "${detail}"`);
  else console.log(`  - ${find}\n  + ${replace}\n${detail ?? ''}`);
}

function fail(faults) {
  for (const fault of faults) console.error(fault);
  return 1;
}
