import { expect, test } from 'vitest';
import { useRedis } from '../testing/use-redis.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { shareRateLimiter } from './share-rate-limiter.ts';

const { redis } = useRedis();

test('a count from a time when the clock of Redis was a day ahead ends with its window', async () => {
  const limiter = shareRateLimiter(createRateLimiter({ windowMs: 60_000, limit: () => 5, now: Date.now }), {
    redis,
    prefix: 'waypost:{test}:limit',
    secret: Buffer.alloc(32, 1),
    now: Date.now,
  });
  const countOne = async (): Promise<void> => {
    limiter.consume('203.0.113.9');
    await limiter.exchangeCounts();
  };
  await countOne();
  const [key = ''] = await redis.ask((client) => client.keys('*'));
  // What such a clock leaves behind when it is set right.
  await redis.ask((client) => client.pExpire(key, 86_460_000));
  await countOne();
  expect(await redis.ask((client) => client.get(key))).toBe('2');
  expect(await redis.ask((client) => client.pTTL(key))).toBeLessThanOrEqual(60_000);
});
