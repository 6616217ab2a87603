/** Creates a controller that aborts with the outer signal. Abort it when its work is done: that removes its listener. */
export function linkAbort(outer: AbortSignal): AbortController {
  const controller = new AbortController();
  if (outer.aborted) controller.abort();
  // Older phones do not have AbortSignal.any.
  else outer.addEventListener('abort', () => controller.abort(), { signal: controller.signal });
  return controller;
}
