import { afterEach, expect, test, vi } from 'vitest';
import { createIdleHandOver } from './hand-over.ts';
import { whenUsable } from './when-usable.ts';

afterEach(() => void vi.useRealTimers());

test('a browser that does not tell when it is idle, as Safari, counts as idle after a moment', async () => {
  vi.useFakeTimers();
  const page = { document: { readyState: 'complete' }, setTimeout };
  let isUsable = false;
  // As much of a page as it asks for. There is no requestIdleCallback.
  void whenUsable(page as unknown as Window & typeof globalThis, createIdleHandOver('loaded', {})).then(
    () => (isUsable = true),
  );
  // Nothing is measured, so it waits 10 s for that.
  await vi.advanceTimersByTimeAsync(10_199);
  expect(isUsable).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isUsable).toBe(true);
});
