import type { Effects } from './effects.ts';

/** Resolves after the delay, or as soon as the signal aborts. Either way no timer is left. */
export function wait(delayMs: number, signal: AbortSignal, setTimer: Effects['setTimer']): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      signal.removeEventListener('abort', end);
      cancelTimer();
      resolve();
    };
    const cancelTimer = setTimer(end, delayMs);
    signal.addEventListener('abort', end);
  });
}
