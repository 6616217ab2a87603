import { MINUTE_MS } from '../../contract/limits.ts';

/** Counts what happened in the last minutes, each name on its own. */
export type MinuteCounts<Name extends string> = {
  readonly add: (name: Name, at: number) => void;
  /** How often it has happened, the current minute included. */
  readonly sum: (name: Name, now: number) => number;
};

/** Creates counts of the last so many minutes. What is older is forgotten. */
export function createMinuteCounts<Name extends string>(minutes: number): MinuteCounts<Name> {
  const byMinute = new Map<number, Map<Name, number>>();
  return {
    add: (name, at) => {
      const minute = Math.floor(at / MINUTE_MS);
      let counts = byMinute.get(minute);
      if (counts === undefined) {
        for (const old of byMinute.keys()) if (old <= minute - minutes) byMinute.delete(old);
        byMinute.set(minute, (counts = new Map()));
      }
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    sum: (name, now) => {
      const last = Math.floor(now / MINUTE_MS);
      let sum = 0;
      for (const [minute, counts] of byMinute) {
        if (minute > last - minutes && minute <= last) sum += counts.get(name) ?? 0;
      }
      return sum;
    },
  };
}
