/** A controller that aborts with the outer signal. Abort it when its work is done, and it lets go of the signal. */
export function linkAbort(outer: AbortSignal): AbortController {
  const controller = new AbortController();
  if (outer.aborted) controller.abort();
  // Not AbortSignal.any: the phones we care about are older than it.
  else outer.addEventListener('abort', () => controller.abort(), { signal: controller.signal });
  return controller;
}
