import { REPLAY_WORKER_START_MS } from '../../../../contract/limits.ts';
import type { Effects } from '../../../../engine/effects/effects.ts';

/** A message to the worker. */
export type CompressorTask = { readonly id: number; readonly text: string };

/** A message from the worker: first how it started, then the answer to each task. */
export type CompressorAnswer =
  | { readonly kind: 'ready' | 'unsupported' }
  | { readonly kind: 'compressed'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> };

export type CompressorStart = 'ready' | 'unsupported' | 'worker-timeout' | 'failed';

type OnDone = (bytes?: Uint8Array<ArrayBuffer>) => void;

export type Compressor = {
  /** Resolves with how the worker started, after 10 s at the latest. A worker that did not start is ended. */
  readonly started: Promise<CompressorStart>;
  /** Calls back with the gzipped text, or with nothing if the worker was stopped or broke. */
  readonly compress: (text: string, onDone: OnDone) => void;
  readonly stop: () => void;
};

/** A worker that was opened. */
export type WorkerPort = {
  readonly post: (task: CompressorTask) => void;
  readonly terminate: () => void;
};

export type WorkerListeners = {
  readonly onAnswer: (answer: CompressorAnswer) => void;
  readonly onError: () => void;
};

export type CompressorSettings = Pick<Effects, 'setTimer'> & {
  readonly openWorker: (listeners: WorkerListeners) => WorkerPort;
  /** The worker broke after it had started. */
  readonly onFailed: () => void;
};

/** Opens the worker that compresses. */
export function openCompressor({ openWorker, setTimer, onFailed }: CompressorSettings): Compressor {
  const pending = new Map<number, OnDone>();
  let lastId = 0;
  let start: CompressorStart | undefined;
  let worker: WorkerPort | undefined;

  const started = new Promise<CompressorStart>((resolve) => {
    const settle = (outcome: CompressorStart): void => {
      if (start !== undefined) return;
      start = outcome;
      cancelTimer();
      if (outcome !== 'ready') stop();
      resolve(outcome);
    };
    const cancelTimer = setTimer(() => settle('worker-timeout'), REPLAY_WORKER_START_MS);
    try {
      worker = openWorker({
        onAnswer(answer) {
          if (answer.kind === 'compressed') finish(answer.id, answer.bytes);
          else settle(answer.kind);
        },
        onError() {
          if (start === 'ready') fail();
          else settle('failed');
        },
      });
    } catch {
      settle('failed'); // A policy forbids workers.
    }
  });

  function finish(id: number, bytes?: Uint8Array<ArrayBuffer>): void {
    const onDone = pending.get(id);
    pending.delete(id);
    onDone?.(bytes);
  }

  function fail(): void {
    stop();
    onFailed();
  }

  function stop(): void {
    worker?.terminate();
    worker = undefined;
    for (const id of pending.keys()) finish(id);
  }

  return {
    started,
    compress(text, onDone) {
      lastId += 1;
      pending.set(lastId, onDone);
      if (worker) worker.post({ id: lastId, text });
      else finish(lastId);
    },
    stop,
  };
}
