import { findOrAdd } from '../process/find-or-add.ts';

export type RateVerdict = {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

export type RateLimiter = {
  readonly windowSeconds: number;
  readonly consume: (key: string) => RateVerdict;
};

export type RateLimiterOptions = {
  readonly windowMs: number;
  /** Read once a window, so that a change of the site folder counts from the next one on. */
  readonly limit: () => number;
  readonly now: () => number;
  /** Beyond this many callers in one window, counting starts again from zero, so that memory stays bounded. */
  readonly maxKeys?: number;
};

/** Counts what each caller does in a fixed window of time; all counts are dropped together when it ends. */
export function createRateLimiter({
  windowMs,
  limit,
  now,
  maxKeys = 200_000,
}: RateLimiterOptions): RateLimiter {
  let tallies = new Map<string, { count: number }>();
  let current = 0;
  let endsAt = 0;
  return {
    windowSeconds: windowMs / 1000,
    consume: (key) => {
      const at = now();
      const isOver = at >= endsAt || at < endsAt - windowMs; // Or the clock was set back.
      if (isOver || tallies.size >= maxKeys) {
        tallies = new Map();
        current = limit();
        endsAt = at + windowMs;
      }
      const tally = findOrAdd(tallies, key, () => ({ count: 0 }));
      const count = (tally.count += 1);
      return {
        isAllowed: count <= current,
        limit: current,
        remaining: Math.max(0, current - count),
        resetSeconds: Math.max(1, Math.ceil((endsAt - at) / 1000)),
      };
    },
  };
}
