import type * as fs from 'node:fs';
import * as threads from 'node:worker_threads';

export type WatchdogOptions = {
  /** The main thread may be busy for this long. */
  readonly limitMs: number;
  /** How often the main thread gives a sign of life, and how often that is looked for. */
  readonly everyMs?: number;
};

type Settings = Required<WatchdogOptions> & { readonly beats: Int32Array };
type Modules = { readonly threads: typeof threads; readonly fs: typeof fs };

/**
 * Ends the process when its main thread is stuck, so that a process manager starts it again. A second thread watches; it
 * does not keep the process alive.
 */
export function startWatchdog({ limitMs, everyMs = 1_000 }: WatchdogOptions): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), everyMs).unref();
  const settings: Settings = { limitMs, everyMs, beats };
  // As text, because a separate file would have another name after it is compiled.
  const code = `(${watchBeats.toString()})({ threads: require('node:worker_threads'), fs: require('node:fs') })`;
  const thread = new threads.Worker(code, {
    eval: true,
    execArgv: [],
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  // The server works without it, and an error that nobody listens to would end the server.
  thread.on('error', (error) => process.emitWarning(`the watchdog has stopped: ${String(error)}`));
  thread.unref();
}

/** Runs in the thread. It is handed over as text, so it uses nothing but its arguments and what every thread has. */
function watchBeats({ threads: { workerData }, fs: { write } }: Modules): void {
  const { limitMs, everyMs, beats } = workerData as Settings; // See above.
  let seen = 0;
  let seenAt = performance.now();
  let lookedAt = seenAt;
  const kill = process.kill.bind(process, process.pid, 'SIGKILL');
  setInterval(() => {
    const now = performance.now();
    const current = Atomics.load(beats, 0);
    // If this thread did not run either, the whole machine was paused, and the main thread is not stuck.
    const wasAsleep = now - lookedAt > 3 * everyMs;
    if (current !== seen || wasAsleep) seenAt = now;
    seen = current;
    lookedAt = now;
    if (now - seenAt < limitMs) return;
    // Standard error may have no reader.
    setTimeout(kill, 500);
    write(
      2,
      `waypost: the main thread was busy for over ${limitMs / 1_000} s, so the process is ended\n`,
      kill,
    );
  }, everyMs);
}
