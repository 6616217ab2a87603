import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.restoreAllMocks());

test('a job that fails is told of, and runs again', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let runs = 0;
  const stop = repeat(
    async () => {
      runs += 1;
      throw new Error(`run ${runs}`);
    },
    () => 1_000,
  );
  await vi.advanceTimersByTimeAsync(3_000);
  stop();
  expect(runs).toBe(3);
  expect(warned.mock.calls.map(([error]) => String(error))).toEqual([
    'Error: run 1',
    'Error: run 2',
    'Error: run 3',
  ]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(runs).toBe(3);
});

test('a job that hangs is not started beside itself', async () => {
  let runs = 0;
  const stop = repeat(
    () => {
      runs += 1;
      return new Promise(() => undefined);
    },
    () => 1_000,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  stop();
  expect(runs).toBe(1);
});
