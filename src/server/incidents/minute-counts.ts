import { MINUTE_MS } from '../../contract/limits.ts';

/** Counts by the minute, each name on its own, and forgets what is older than the longest question. */
export type MinuteCounts<Name extends string> = {
  readonly add: (name: Name, amount: number, at: number) => void;
  /** What was counted in the last so many minutes, the current one included. */
  readonly sum: (name: Name, minutes: number, now: number) => number;
};

export function createMinuteCounts<Name extends string>(keepMinutes: number): MinuteCounts<Name> {
  const byMinute = new Map<number, Map<Name, number>>();
  return {
    add: (name, amount, at) => {
      if (amount === 0) return;
      const minute = Math.floor(at / MINUTE_MS);
      let counts = byMinute.get(minute);
      if (counts === undefined) {
        for (const old of byMinute.keys()) if (old <= minute - keepMinutes) byMinute.delete(old);
        byMinute.set(minute, (counts = new Map()));
      }
      counts.set(name, (counts.get(name) ?? 0) + amount);
    },
    sum: (name, minutes, now) => {
      const last = Math.floor(now / MINUTE_MS);
      let sum = 0;
      for (const [minute, counts] of byMinute) {
        if (minute > last - minutes && minute <= last) sum += counts.get(name) ?? 0;
      }
      return sum;
    },
  };
}
