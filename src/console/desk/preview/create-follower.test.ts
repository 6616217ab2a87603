import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFollower } from './create-follower.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function follow() {
  const asked: string[] = [];
  const answered: string[] = [];
  const ends: (() => void)[] = [];
  const follower = createFollower<string, string>({
    ask: (wish) => {
      asked.push(wish);
      return new Promise((resolve) => ends.push(() => resolve(wish.toUpperCase())));
    },
    onAnswer: (answer) => void answered.push(answer),
    waitMs: 100,
  });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { follower, asked, answered, end };
}

test('asks 100 ms after the first change for the newest one', async () => {
  const { follower, asked } = follow();
  follower.want('a');
  await vi.advanceTimersByTimeAsync(60);
  follower.want('ab');
  await vi.advanceTimersByTimeAsync(39);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['ab']);
});

test('asks once at a time, and then for the newest, so that no old answer follows a new one', async () => {
  const { follower, asked, answered, end } = follow();
  follower.want('a');
  await vi.advanceTimersByTimeAsync(100);
  for (const wish of ['ab', 'abc', 'abcd']) follower.want(wish);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['a']);
  await end();
  expect([asked, answered]).toEqual([['a', 'abcd'], ['A']]);
  await end();
  expect(answered).toEqual(['A', 'ABCD']);
});

test('tells nothing after it was stopped', async () => {
  const { follower, asked, answered, end } = follow();
  follower.want('a');
  await vi.advanceTimersByTimeAsync(100);
  follower.want('ab');
  follower.stop();
  await end();
  expect([asked, answered]).toEqual([['a'], []]);
});
