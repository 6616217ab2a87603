import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

export type WatchdogOptions = {
  /** The main thread may be busy for this long. */
  readonly limitMs: number;
  /** How often the main thread gives a sign of life, and how often that is looked for. */
  readonly everyMs?: number;
};

export type WatchdogSettings = Required<WatchdogOptions> & { readonly beats: Int32Array };

/**
 * Ends the process when its main thread is stuck, so that a process manager starts it again. A second thread watches; it
 * does not keep the process alive.
 */
export function startWatchdog({ limitMs, everyMs = 1_000 }: WatchdogOptions): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), everyMs).unref();
  const settings: WatchdogSettings = { limitMs, everyMs, beats };
  // package.json names the compiled file: Node 20 runs no TypeScript in a thread, not even in a test.
  const thread = new Worker(createRequire(import.meta.url).resolve('#watchdog-worker'), {
    workerData: settings,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  // The server works without it, and an error that nobody listens to would end the server.
  thread.on('error', (error) => process.emitWarning(`the watchdog has stopped: ${String(error)}`));
  thread.unref();
}
