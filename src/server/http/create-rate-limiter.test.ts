import { expect, test } from 'vitest';
import { createRateLimiter } from './create-rate-limiter.ts';

test('counts each caller apart, until the window ends', () => {
  let now = 0;
  const limiter = createRateLimiter({ windowMs: 60_000, limit: () => 2, now: () => now });
  const isAllowed = (key: string) => limiter.consume(key).isAllowed;
  expect([isAllowed('a'), isAllowed('a'), isAllowed('a')]).toEqual([true, true, false]);
  expect(isAllowed('b')).toBe(true);
  now = 59_999;
  expect(isAllowed('a')).toBe(false);
  now = 60_000;
  expect(limiter.consume('a')).toEqual({ isAllowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
});

test('takes a new limit from the next window on', () => {
  let now = 0;
  let limit = 1;
  const limiter = createRateLimiter({ windowMs: 1_000, limit: () => limit, now: () => now });
  limiter.consume('a');
  limit = 5;
  expect(limiter.consume('a').isAllowed).toBe(false);
  now = 1_000;
  expect(limiter.consume('a').limit).toBe(5);
});

test('forgets, rather than grow without end, when callers outnumber memory', () => {
  const limiter = createRateLimiter({ windowMs: 60_000, limit: () => 1, now: () => 0, maxKeys: 100 });
  limiter.consume('first');
  for (let key = 1; key < 100; key += 1) limiter.consume(String(key));
  expect(limiter.consume('first').isAllowed).toBe(true);
  expect(limiter.consume('first').isAllowed).toBe(false);
});
