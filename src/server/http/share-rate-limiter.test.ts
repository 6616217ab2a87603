import { expect, test } from 'vitest';
import { useRedis } from '../testing/use-redis.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { shareRateLimiter } from './share-rate-limiter.ts';

const { redis } = useRedis();

function openReplica(now: () => number) {
  return shareRateLimiter(createRateLimiter({ windowMs: 60_000, limit: () => 5, now }), {
    redis,
    prefix: 'waypost:{test}:limit',
    secret: Buffer.alloc(32, 1),
    now,
  });
}

test('a count from a time when the clock of Redis was a day ahead ends with its window', async () => {
  const limiter = openReplica(Date.now);
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

test('whoever is refused for what they did elsewhere is told to wait for the end of the shared window, if it is later', async () => {
  const clock = { now: 1_000_000 };
  const [here, elsewhere] = [openReplica(() => clock.now), openReplica(() => clock.now)];
  here.consume('203.0.113.1');
  clock.now += 59_000;
  for (let call = 0; call < 6; call += 1) elsewhere.consume('203.0.113.9');
  await elsewhere.exchangeCounts();
  expect(here.consume('203.0.113.9')).toMatchObject({ isAllowed: true, resetSeconds: 1 });
  await here.exchangeCounts();
  const refused = here.consume('203.0.113.9');
  expect(refused.isAllowed).toBe(false);
  expect(refused.resetSeconds).toBeGreaterThan(1);
  // At the end of the shared window, what was done elsewhere no longer counts.
  clock.now += refused.resetSeconds * 1_000;
  expect(here.consume('203.0.113.9').isAllowed).toBe(true);
});
