import { expect, it } from 'vitest';
import { runLimited } from './run-limited.ts';

it('runs no more at once than it may, and keeps the order', async () => {
  let running = 0;
  let most = 0;
  const results = runLimited([3, 1, 4, 1, 5, 9], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    running -= 1;
    return item * 2;
  });
  expect(await Promise.all(results)).toEqual([6, 2, 8, 2, 10, 18]);
  expect(most).toBe(2);
});

it('goes on after a job that failed', async () => {
  const [first, second] = runLimited(['bad', 'good'], 1, async (item) => {
    if (item === 'bad') throw new Error('no luck');
    return item;
  });
  await expect(first).rejects.toThrow('no luck');
  expect(await second).toBe('good');
});
