import type { Effects } from './effects.ts';

/** Lets a controller abort with the outer signal, too. Abort it when its work is done: that removes its listener. */
export function linkAbort(outer: AbortSignal, controller = new AbortController()): AbortController {
  if (outer.aborted) controller.abort();
  // Older phones do not have AbortSignal.any.
  else outer.addEventListener('abort', () => controller.abort(), { signal: controller.signal });
  return controller;
}

/** Creates a controller that aborts with the outer signal, or when its time is up. Once it has aborted, no timer is left. */
export function abortAfter(
  delayMs: number,
  outer: AbortSignal,
  setTimer: Effects['setTimer'],
): AbortController {
  const controller = new AbortController();
  controller.signal.addEventListener(
    'abort',
    setTimer(() => controller.abort(), delayMs),
  );
  return linkAbort(outer, controller);
}

/** A signal that never aborts. Each use has a new one, because a shared one would collect listeners. */
export function neverAborts(): AbortSignal {
  return new AbortController().signal;
}
