import { once } from 'node:events';
import { startWatchdog } from '../start-watchdog.ts';

/** Starts an impatient watchdog, and does as its parent says: it blocks the main thread, or works for a moment and ends. */
export async function runWatchdog(limitMs: number): Promise<void> {
  startWatchdog({ limitMs, everyMs: 40 });
  process.send?.('started');
  const [order] = (await once(process, 'message')) as [string];
  if (order === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  process.send?.('working', () => {
    // By processor time, which does not pass while the process is stopped.
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 100_000);
    process.disconnect();
  });
}
