import type { Logger } from 'pino';
import { followState } from './follow-state.ts';

/** Combines several stop functions into one. */
export function stopAll(...stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

export type RepeatOptions = {
  /** What the log calls the job: the part of the server, and what it does, such as "recordings: prune". */
  readonly name: string;
  readonly log: Pick<Logger, 'error'>;
  readonly firstPauseMs?: number;
};

/**
 * Runs a job again and again, each time after a pause that starts when the job is done. The returned function stops that. A job
 * that fails runs again, too. The log names it at its first failure, and then not until it has succeeded.
 */
export function repeat(
  job: () => Promise<void>,
  pauseMs: () => number,
  { name, log, firstPauseMs = pauseMs() }: RepeatOptions,
): () => void {
  let timer = setTimeout(run, firstPauseMs);
  let isStopped = false;
  const { pass, fail } = followState({
    onFail: (error) =>
      log.error({ err: error, job: name }, 'a repeated job failed: it runs again after its pause'),
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };

  function run(): void {
    void attempt().finally(() => {
      if (!isStopped) timer = setTimeout(run, pauseMs());
    });
  }

  async function attempt(): Promise<void> {
    try {
      await job();
      pass();
    } catch (error) {
      fail(error);
    }
  }
}
