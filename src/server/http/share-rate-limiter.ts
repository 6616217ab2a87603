import { createHmac } from 'node:crypto';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from '../redis/open-redis.ts';
import type { RateLimiter } from './rate-limiter.ts';

export type SharedRateLimiter = RateLimiter & {
  /** Tells Redis what was counted here, and learns what was counted in all. To be repeated; it never fails. */
  readonly look: () => Promise<void>;
};

export type ShareOptions = {
  readonly redis: Redis;
  /** What all keys start with. */
  readonly prefix: string;
  /** No caller's address is stored as it is: the keys are signed with it. */
  readonly secret: Uint8Array;
  readonly now: () => number;
};

/** Beyond this many callers a second, the others are counted here only. */
const MAX_KEYS = 10_000;
const KEY_CHARS = 22;

type Count = { readonly consumed: number; readonly endsAt: number };

/**
 * Makes the limit of this replica one of all replicas. No request waits for Redis: what the others have counted is known
 * within a second or so, and where Redis is away this replica's own limit still holds.
 */
export function shareRateLimiter(local: RateLimiter, options: ShareOptions): SharedRateLimiter {
  const { redis, prefix, secret, now } = options;
  let unsent = new Map<string, number>();
  const known = new Map<string, Count>();

  return {
    windowSeconds: local.windowSeconds,
    consume: async (key) => {
      const verdict = await local.consume(key);
      const added = (unsent.get(key) ?? 0) + 1;
      if (added > 1 || unsent.size < MAX_KEYS) unsent.set(key, added);
      const counted = known.get(key);
      if (counted === undefined || counted.endsAt <= now()) return verdict;
      const consumed = counted.consumed + added;
      return {
        ...verdict,
        isAllowed: verdict.isAllowed && consumed <= verdict.limit,
        remaining: Math.max(0, Math.min(verdict.remaining, verdict.limit - consumed)),
      };
    },
    look: async () => {
      const sent = unsent;
      unsent = new Map();
      for (const [key, { endsAt }] of known) if (endsAt <= now()) known.delete(key);
      // What Redis does not take is counted here all the same.
      await redis.ask((client) => Promise.all(send(client, sent))).catch(() => undefined);
    },
  };

  function send(
    storeClient: Parameters<Parameters<Redis['ask']>[0]>[0],
    sent: ReadonlyMap<string, number>,
  ): Promise<void>[] {
    const limiter = new RateLimiterRedis({
      storeClient,
      useRedisPackage: true,
      keyPrefix: prefix,
      points: Number.MAX_SAFE_INTEGER,
      duration: local.windowSeconds,
    });
    return [...sent].map(async ([key, added]) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(sign(key), added);
      known.set(key, { consumed: consumedPoints, endsAt: now() + msBeforeNext });
    });
  }

  function sign(key: string): string {
    return createHmac('sha256', secret).update(key).digest('base64url').slice(0, KEY_CHARS);
  }
}
