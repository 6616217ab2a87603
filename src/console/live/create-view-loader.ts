import type { Answer, Failure } from './call-server.ts';

export type ViewLoader = {
  /** Loads the data, or loads it once more after the load that is under way. */
  readonly refresh: () => void;
  /** Ends everything, because the view is left. */
  readonly end: () => void;
};

export type ViewLoaderSettings<T> = {
  readonly load: (signal: AbortSignal) => Promise<Answer<T>>;
  readonly onData: (data: T) => void;
  readonly onFailure: (failure: Failure) => void;
  /** The returned function stops the timer. */
  readonly setTimer: (job: () => void, delayMs: number) => () => void;
};

/** After a failure, the data is loaded again. What was refused waits for the next refresh. */
const RETRY_MS = 5_000;
/** A load that takes longer may hang. It counts as a failure. */
const PATIENCE_MS = 30_000;

/** Creates the loader of one view. Loads never overlap. A refresh during a load starts another one after it. */
export function createViewLoader<T>(settings: ViewLoaderSettings<T>): ViewLoader {
  const { load, onData, onFailure, setTimer } = settings;
  let running: AbortController | undefined;
  let isOutdated = false;
  let stopTimer: (() => void) | undefined;

  function refresh(): void {
    isOutdated = running !== undefined;
    if (!isOutdated) void start();
  }

  async function start(): Promise<void> {
    end();
    const mine = new AbortController();
    running = mine;
    stopTimer = setTimer(() => {
      mine.abort();
      take({ kind: 'lost' });
    }, PATIENCE_MS);
    const answer = await load(mine.signal);
    if (!mine.signal.aborted) take(answer);
  }

  function take(answer: Answer<T>): void {
    stopTimer?.();
    running = undefined;
    if (answer.kind === 'done') {
      onData(answer.data);
    } else {
      onFailure(answer);
      if (!isFinal(answer)) stopTimer = setTimer(refresh, RETRY_MS);
    }
    if (isOutdated) refresh();
  }

  function end(): void {
    stopTimer?.();
    running?.abort();
  }

  return { refresh, end };
}

/** Whether the server would answer the same again: the data does not exist, or this person may not see it. */
function isFinal(failure: Failure): boolean {
  if (failure.kind !== 'refused') return failure.kind === 'signed-out';
  // 429 says to ask later.
  return failure.status < 500 && failure.status !== 429;
}
