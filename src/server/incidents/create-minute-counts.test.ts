import { expect, test } from 'vitest';
import { createMinuteCounts } from './create-minute-counts.ts';

function openCounts() {
  const clock = { now: Date.UTC(2026, 0, 5, 12) };
  const counts = createMinuteCounts<'a' | 'b'>(60);
  return {
    clock,
    count: (name: 'a' | 'b' = 'a') => counts.add(name, clock.now),
    read: (name: 'a' | 'b' = 'a') => counts.sum(name, clock.now),
  };
}

test('counts what happened in the last 60 minutes, and keeps no more than that', () => {
  const { clock, count, read } = openCounts();
  expect(read()).toBe(0);
  for (let minute = 0; minute < 90; minute += 1) {
    count();
    count();
    count('b');
    clock.now += 60_000;
  }
  expect([read(), read('b')]).toEqual([118, 59]);
  clock.now += 58 * 60_000;
  expect(read()).toBe(2);
  clock.now += 60_000;
  expect(read()).toBe(0);
});

test('forgets what a clock counted that was ahead, also for the time when it gets there', () => {
  const { clock, count, read } = openCounts();
  count();
  clock.now -= 600_000;
  count();
  expect(read()).toBe(1);
  clock.now += 600_000;
  expect(read()).toBe(1);
});
