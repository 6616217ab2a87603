/** Runs a job, at most once at a time: calls during a run share its result. */
export function shareRun<T>(job: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= job().finally(() => (running = undefined)));
}
