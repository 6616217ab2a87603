import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

test('counts each caller apart, until the window ends', async () => {
  let now = 0;
  const limiter = createRateLimiter({ windowMs: 60_000, limit: () => 2, now: () => now });
  const isAllowed = async (key: string) => (await limiter.consume(key)).isAllowed;
  expect([await isAllowed('a'), await isAllowed('a'), await isAllowed('a')]).toEqual([true, true, false]);
  expect(await isAllowed('b')).toBe(true);
  now = 59_999;
  expect(await isAllowed('a')).toBe(false);
  now = 60_000;
  expect(await limiter.consume('a')).toEqual({ isAllowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
});

test('takes a new limit from the next window on', async () => {
  let now = 0;
  let limit = 1;
  const limiter = createRateLimiter({ windowMs: 1_000, limit: () => limit, now: () => now });
  await limiter.consume('a');
  limit = 5;
  expect((await limiter.consume('a')).isAllowed).toBe(false);
  now = 1_000;
  expect((await limiter.consume('a')).limit).toBe(5);
});

test('forgets, rather than grow without end, when callers outnumber memory', async () => {
  const limiter = createRateLimiter({ windowMs: 60_000, limit: () => 1, now: () => 0, maxKeys: 100 });
  await limiter.consume('first');
  for (let key = 1; key < 100; key += 1) await limiter.consume(String(key));
  expect((await limiter.consume('first')).isAllowed).toBe(true);
  expect((await limiter.consume('first')).isAllowed).toBe(false);
});
