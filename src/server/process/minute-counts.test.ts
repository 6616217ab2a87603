import { expect, test } from 'vitest';
import { countLastHour } from './count-last-hour.ts';

test('counts what happened in the last 60 minutes, and keeps no more than that', () => {
  const clock = { now: Date.UTC(2026, 0, 5, 12) };
  const { count, read } = countLastHour(() => clock.now);
  expect(read()).toBe(0);
  for (let minute = 0; minute < 90; minute += 1) {
    count();
    count();
    clock.now += 60_000;
  }
  expect(read()).toBe(118);
  clock.now += 58 * 60_000;
  expect(read()).toBe(2);
  clock.now += 60_000;
  expect(read()).toBe(0);
});

test('forgets what a clock counted that was ahead', () => {
  const clock = { now: Date.UTC(2026, 0, 5, 12) };
  const { count, read } = countLastHour(() => clock.now);
  count();
  clock.now -= 3_600_000;
  expect(read()).toBe(0);
});
