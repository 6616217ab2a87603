import { write } from 'node:fs';
import { workerData } from 'node:worker_threads';
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
  if (now - seenAt >= limitMs) endProcess();
}, everyMs);

function endProcess(): void {
  const kill = process.kill.bind(process, process.pid, 'SIGKILL');
  // Standard error may have no reader.
  setTimeout(kill, 500);
  const seconds = limitMs / 1_000;
  write(2, `waypost: the main thread was busy for over ${seconds} s, so the process is ended\n`, kill);
}
