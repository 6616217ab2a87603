import type { CompressorAnswer, CompressorSettings } from './create-compressor.ts';

/** Opens the worker that compresses: a script of its own, from our own origin. */
export const openCompressorWorker: CompressorSettings['openWorker'] = ({ onAnswer, onError }) => {
  const worker = new Worker(new URL('./compressor.worker.ts', import.meta.url));
  worker.addEventListener('message', ({ data }: MessageEvent<CompressorAnswer>) => onAnswer(data));
  worker.addEventListener('error', onError);
  return {
    // It is a worker's, which has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    post: (task) => worker.postMessage(task),
    terminate: () => worker.terminate(),
  };
};
