import { expect, test } from 'vitest';
import { createLimit } from './create-limit.ts';

test('runs no more jobs at once than it may, in their order', async () => {
  const limit = createLimit(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const results = [3, 1, 4, 1, 5, 9].map((item) =>
    limit(async () => {
      started.push(item);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      running -= 1;
      return item * 2;
    }),
  );
  expect(await Promise.all(results)).toEqual([6, 2, 8, 2, 10, 18]);
  expect(started).toEqual([3, 1, 4, 1, 5, 9]);
  expect(most).toBe(2);
});

test('goes on after a job that failed', async () => {
  const limit = createLimit(1);
  const first = limit(() => Promise.reject(new Error('no luck')));
  const second = limit(() => Promise.resolve('good'));
  await expect(first).rejects.toThrow('no luck');
  expect(await second).toBe('good');
});
