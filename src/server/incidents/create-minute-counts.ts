import { MINUTE_MS } from '../../contract/time-units.ts';
import { addCount } from '../learning/counts.ts';

/** Counts what happened in the last minutes, each name on its own. */
export type MinuteCounts<Name extends string> = {
  readonly add: (name: Name, at: number) => void;
  /** How often it has happened, the current minute included. */
  readonly sum: (name: Name, now: number) => number;
};

/** Counts in the last `minutes`. What is older is forgotten. */
export function createMinuteCounts<Name extends string>(minutes: number): MinuteCounts<Name> {
  const byMinute = new Map<number, Map<Name, number>>();
  return {
    add: (name, at) => {
      const minute = Math.floor(at / MINUTE_MS);
      let counts = byMinute.get(minute);
      if (counts === undefined) {
        forgetOthers(minute);
        byMinute.set(minute, (counts = new Map()));
      }
      addCount(counts, name, 1);
    },
    sum: (name, now) => {
      forgetOthers(Math.floor(now / MINUTE_MS));
      return [...byMinute.values()].reduce((sum, counts) => sum + (counts.get(name) ?? 0), 0);
    },
  };

  function forgetOthers(last: number): void {
    for (const minute of byMinute.keys()) {
      // Or the clock was set back.
      if (minute <= last - minutes || minute > last) byMinute.delete(minute);
    }
  }
}
