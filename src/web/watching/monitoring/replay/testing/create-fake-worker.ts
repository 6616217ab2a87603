import type {
  CompressorAnswer,
  CompressorSettings,
  CompressorTask,
  WorkerListeners,
} from '../open-compressor.ts';

export type FakeWorker = {
  readonly open: CompressorSettings['openWorker'];
  readonly tasks: CompressorTask[];
  readonly say: (answer: CompressorAnswer) => void;
  readonly fail: () => void;
  readonly isTerminated: () => boolean;
};

/** Creates a worker that a test controls. */
export function createFakeWorker(): FakeWorker {
  const tasks: CompressorTask[] = [];
  let listeners: WorkerListeners | undefined;
  let isTerminated = false;
  return {
    open(given) {
      listeners = given;
      return { post: (task) => tasks.push(task), terminate: () => (isTerminated = true) };
    },
    tasks,
    say: (answer) => listeners?.onAnswer(answer),
    fail: () => listeners?.onError(),
    isTerminated: () => isTerminated,
  };
}
