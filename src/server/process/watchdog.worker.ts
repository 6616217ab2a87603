import { workerData } from 'node:worker_threads';
import { endProcess } from './end-process.ts';
import type { WatchdogSettings } from './start-watchdog.ts';

const { limitMs, everyMs, beats } = workerData as WatchdogSettings; // See `startWatchdog`.
let seen = 0;
let seenAt = performance.now();
let lookedAt = seenAt;

setInterval(() => {
  const now = performance.now();
  const current = Atomics.load(beats, 0);
  // If this thread did not run either, the whole machine was paused, and the main thread is not stuck.
  const wasAsleep = now - lookedAt > 3 * everyMs;
  if (current !== seen || wasAsleep) seenAt = now;
  seen = current;
  lookedAt = now;
  if (now - seenAt >= limitMs)
    endProcess(`the main thread was busy for over ${limitMs / 1_000} s, so the process is ended`);
}, everyMs);
