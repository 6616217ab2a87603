/** Makes one way to stop of several. */
export function stopAll(...stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Runs a job again and again, each time after a pause that starts when the job is done. Returns the way to stop it. If a job
 * fails, a line on standard error says so, and it runs again.
 */
export function repeat(
  job: () => Promise<void>,
  pauseMs: () => number,
  firstPauseMs = pauseMs(),
): () => void {
  let timer = setTimeout(run, firstPauseMs);
  let isStopped = false;
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };

  function run(): void {
    void job()
      .catch((error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)))
      .finally(() => {
        if (!isStopped) timer = setTimeout(run, pauseMs());
      });
  }
}
