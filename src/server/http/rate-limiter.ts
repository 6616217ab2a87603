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
  /** Beyond this many callers in one window counting starts over: better to forget than to run out of memory. */
  readonly maxKeys?: number;
};

/** Counts what each caller does in a fixed window of time; all counts are dropped together when it ends. */
export function createRateLimiter({
  windowMs,
  limit,
  now,
  maxKeys = 200_000,
}: RateLimiterOptions): RateLimiter {
  let counts = new Map<string, number>();
  let current = 0;
  let endsAt = 0;
  return {
    windowSeconds: windowMs / 1000,
    consume: (key) => {
      const at = now();
      if (at >= endsAt || counts.size >= maxKeys) {
        counts = new Map();
        current = limit();
        endsAt = at + windowMs;
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return {
        isAllowed: count <= current,
        limit: current,
        remaining: Math.max(0, current - count),
        resetSeconds: Math.max(1, Math.ceil((endsAt - at) / 1000)),
      };
    },
  };
}
