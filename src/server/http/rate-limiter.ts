import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export type RateVerdict = {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

export type RateLimiter = {
  readonly windowSeconds: number;
  readonly consume: (key: string) => Promise<RateVerdict>;
};

export type RateLimiterOptions = {
  readonly windowMs: number;
  /** Read once a window, so that a change of the site folder counts from the next one on. */
  readonly limit: () => number;
  readonly now: () => number;
  /** Beyond this many callers in one window counting starts over: better to forget than to run out of memory. */
  readonly maxKeys?: number;
};

/**
 * Counts what each caller does in a fixed window of time.
 *
 * The library would keep a timer for each caller, some 600 bytes each. Its counters never expire here: a whole
 * limiter is dropped at the end of its window instead.
 */
export function createRateLimiter({
  windowMs,
  limit,
  now,
  maxKeys = 200_000,
}: RateLimiterOptions): RateLimiter {
  let window = openWindow();

  return {
    windowSeconds: windowMs / 1000,
    consume: async (key) => {
      const at = now();
      if (at >= window.endsAt || window.keys >= maxKeys) window = openWindow();
      const counted = await consumeOne(window.limiter, key);
      if (counted.isFirstInDuration) window.keys += 1;
      return {
        isAllowed: counted.consumedPoints <= window.limit,
        limit: window.limit,
        remaining: Math.max(0, window.limit - counted.consumedPoints),
        resetSeconds: Math.max(1, Math.ceil((window.endsAt - at) / 1000)),
      };
    },
  };

  function openWindow() {
    const points = limit();
    return {
      limit: points,
      limiter: new RateLimiterMemory({ points, duration: 0 }),
      endsAt: now() + windowMs,
      keys: 0,
    };
  }
}

/** The library rejects, with its count, when there is nothing left: for us that is an answer like any other. */
async function consumeOne(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}
