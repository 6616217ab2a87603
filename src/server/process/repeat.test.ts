import { beforeEach, expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers());

test('a job that fails runs again, and the log names it once until it succeeds', async () => {
  const logged: unknown[] = [];
  let runs = 0;
  const stop = repeat(
    async () => {
      runs += 1;
      if (runs !== 3) throw new Error(`run ${runs}`);
    },
    () => 1_000,
    { name: 'visits: save', log: { error: (fault: unknown) => void logged.push(fault) } },
  );
  await vi.advanceTimersByTimeAsync(5_000);
  stop();
  expect(runs).toBe(5);
  expect(logged).toEqual([
    { err: new Error('run 1'), job: 'visits: save' },
    { err: new Error('run 4'), job: 'visits: save' },
  ]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(runs).toBe(5);
});

test('a job that hangs is not started beside itself', async () => {
  let runs = 0;
  const stop = repeat(
    () => {
      runs += 1;
      return new Promise(() => undefined);
    },
    () => 1_000,
    { name: 'visits: save', log: { error: () => undefined } },
  );
  await vi.advanceTimersByTimeAsync(60_000);
  stop();
  expect(runs).toBe(1);
});
