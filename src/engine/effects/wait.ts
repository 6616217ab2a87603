import type { Effects } from './effects.ts';
import { abortAfter } from './link-abort.ts';

/** Resolves after the delay, or as soon as the signal aborts. Either way no timer is left. */
export function wait(delayMs: number, outer: AbortSignal, setTimer: Effects['setTimer']): Promise<void> {
  const { signal } = abortAfter(delayMs, outer, setTimer);
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}
