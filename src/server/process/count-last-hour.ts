import { MINUTE_MS } from '../../contract/limits.ts';

export type HourCounter = {
  readonly count: () => void;
  /** How often it was counted in the last 60 minutes. */
  readonly read: () => number;
};

const HOUR_MINUTES = 60;

/** Counts by the minute, and forgets what is an hour old. */
export function countLastHour(now: () => number): HourCounter {
  const byMinute = new Map<number, number>();
  const forgetOld = (minute: number): void => {
    for (const counted of byMinute.keys()) {
      // Or the clock was set back.
      if (counted <= minute - HOUR_MINUTES || counted > minute) byMinute.delete(counted);
    }
  };
  return {
    count: () => {
      const minute = Math.floor(now() / MINUTE_MS);
      if (!byMinute.has(minute)) forgetOld(minute);
      byMinute.set(minute, (byMinute.get(minute) ?? 0) + 1);
    },
    read: () => {
      forgetOld(Math.floor(now() / MINUTE_MS));
      return [...byMinute.values()].reduce((sum, count) => sum + count, 0);
    },
  };
}
