import { type Losses, createLosses } from './judge-losses.ts';
import { type Evidence, createEvidence } from './loss-evidence.ts';
import { type PartialEvidence, createPartialEvidence } from './partial-losses.ts';

/** Losses for a snapshot: numbers, some of which are places in the list of names. */
export type SavedLosses = { readonly names: readonly string[]; readonly numbers: readonly number[] };

/** Writes all that is known of losses, in its order: portals that know the same write the same. */
export function saveLosses({ places, partial, ended }: Losses): SavedLosses {
  const names = new Map<string, number>();
  const numbers: number[] = [];
  const write = (...values: readonly number[]): void => void numbers.push(...values);
  const writeName = (name: string): void => {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    write(known);
  };
  const writeMap = <T>(map: ReadonlyMap<string, T>, writeValue: (value: T) => void): void => {
    write(map.size);
    for (const [name, value] of map) {
      writeName(name);
      writeValue(value);
    }
  };

  write(places.usual.tries, places.usual.reached);
  writeMap(places.lines, (ofLine) => writeMap(ofLine, writeEvidence));
  writeMap(partial, writePartialEvidence);
  writeMap(ended, ({ at, failedAt }) => write(at, failedAt));
  return { names: [...names.keys()], numbers };

  function writeEvidence(evidence: Evidence): void {
    const { sum, runFailures, runSum, usual, successes, since, visitors } = evidence;
    const { triedAt, failedAt, reachedAt, isLost, isCountry, failing } = evidence;
    write(sum, runFailures, runSum, usual.tries, usual.reached, successes, since, visitors);
    write(triedAt, failedAt, reachedAt, Number(isLost), Number(isCountry));
    writeMap(failing, write);
  }

  function writePartialEvidence(evidence: PartialEvidence): void {
    const { sum, since, visitors, triedAt, failedAt, successes, usual, isLost } = evidence;
    write(sum, since, visitors, triedAt, failedAt, successes, usual.tries, usual.failures, Number(isLost));
    writeMap(evidence.failures, write);
    writeMap(evidence.successesByCountry, write);
    writeMap(evidence.waiting, ({ failures, at }) => write(failures, at));
  }
}

/** Reads what `saveLosses` wrote. */
export function readLosses(names: readonly string[], read: () => number): Losses {
  const readMap = <T>(map: Map<string, T>, readValue: () => T): void => {
    for (let left = read(); left > 0; left -= 1) {
      const name = names[read()] ?? '';
      map.set(name, readValue());
    }
  };
  const losses = createLosses();
  Object.assign(losses.places.usual, { tries: read(), reached: read() });
  readMap(losses.places.lines, () => {
    const ofLine = new Map<string, Evidence>();
    readMap(ofLine, readEvidence);
    return ofLine;
  });
  readMap(losses.partial, readPartialEvidence);
  readMap(losses.ended, () => ({ at: read(), failedAt: read() }));
  return losses;

  // The order in which an object is written is the order in which it is read.
  function readEvidence(): Evidence {
    const evidence: Evidence = {
      ...createEvidence({ isCountry: false, at: 0 }),
      sum: read(),
      runFailures: read(),
      runSum: read(),
      usual: { tries: read(), reached: read() },
      successes: read(),
      since: read(),
      visitors: read(),
      triedAt: read(),
      failedAt: read(),
      reachedAt: read(),
      isLost: read() === 1,
      isCountry: read() === 1,
    };
    readMap(evidence.failing, read);
    return evidence;
  }

  function readPartialEvidence(): PartialEvidence {
    const evidence: PartialEvidence = {
      ...createPartialEvidence(0),
      sum: read(),
      since: read(),
      visitors: read(),
      triedAt: read(),
      failedAt: read(),
      successes: read(),
      usual: { tries: read(), failures: read() },
      isLost: read() === 1,
    };
    readMap(evidence.failures, read);
    readMap(evidence.successesByCountry, read);
    readMap(evidence.waiting, () => ({ failures: read(), at: read() }));
    return evidence;
  }
}
