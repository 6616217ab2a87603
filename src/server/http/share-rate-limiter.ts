import { createHmac } from 'node:crypto';
import type { Redis } from '../redis/open-redis.ts';
import type { RateLimiter } from './rate-limiter.ts';

export type SharedRateLimiter = RateLimiter & {
  /** Tells Redis what was counted here, and learns what was counted in all. To be repeated; it never fails. */
  readonly exchangeCounts: () => Promise<void>;
};

export type ShareOptions = {
  readonly redis: Redis;
  /** What all keys start with. */
  readonly prefix: string;
  /** Signs the keys, so that Redis stores no caller's address. */
  readonly secret: Uint8Array;
  readonly now: () => number;
};

/** Beyond this many callers a second, the others are counted here only. */
const MAX_KEYS = 10_000;
const KEY_CHARS = 22;

type Count = { readonly consumed: number; readonly endsAt: number };

/**
 * Shares the limit of this replica with all replicas. No request waits for Redis: this replica learns the counts of the
 * others within about a second. If Redis is away, its own limit still holds.
 */
export function shareRateLimiter(local: RateLimiter, options: ShareOptions): SharedRateLimiter {
  const { redis, prefix, secret, now } = options;
  const windowMs = local.windowSeconds * 1_000;
  const known = new Map<string, Count>();
  let unsent = new Map<string, number>();

  return {
    windowSeconds: local.windowSeconds,
    consume: (key) => {
      const verdict = local.consume(key);
      const added = (unsent.get(key) ?? 0) + 1;
      if (added > 1 || unsent.size < MAX_KEYS) unsent.set(key, added);
      const counted = known.get(key);
      if (counted === undefined || isOver(counted)) return verdict;
      const consumed = counted.consumed + added;
      return {
        ...verdict,
        isAllowed: verdict.isAllowed && consumed <= verdict.limit,
        remaining: Math.max(0, Math.min(verdict.remaining, verdict.limit - consumed)),
        resetSeconds: Math.max(verdict.resetSeconds, Math.ceil((counted.endsAt - now()) / 1_000)),
      };
    },
    exchangeCounts: async () => {
      const sent = unsent;
      unsent = new Map();
      for (const [key, count] of known) if (isOver(count)) known.delete(key);
      // What Redis does not take still counts on this replica.
      await Promise.all([...sent].map(([key, added]) => exchange(key, added))).catch(() => undefined);
    },
  };

  function isOver({ endsAt }: Count): boolean {
    return endsAt <= now() || endsAt > now() + windowMs; // Or the clock was set back.
  }

  async function exchange(key: string, added: number): Promise<void> {
    const sharedKey = `${prefix}:${sign(key)}`;
    const [, consumed, , leftMs] = await redis.ask((client) =>
      client
        .multi()
        .set(sharedKey, 0, { condition: 'NX', expiration: { type: 'PX', value: windowMs } })
        .incrBy(sharedKey, added)
        // A key from a time when the clock of Redis was ahead would live, and count, until then.
        .pExpire(sharedKey, windowMs, 'LT')
        .pTTL(sharedKey)
        .exec(),
    );
    known.set(key, { consumed: Number(consumed), endsAt: now() + Number(leftMs) });
  }

  function sign(key: string): string {
    return createHmac('sha256', secret).update(key).digest('base64url').slice(0, KEY_CHARS);
  }
}
