import { once } from 'node:events';
import { startWatchdog } from '../process/start-watchdog.ts';

/** Starts an impatient watchdog, and does as its parent says: it blocks the main thread for good, or stops as a whole. */
export async function runWatchdog(limitMs: number): Promise<void> {
  startWatchdog({ limitMs, everyMs: 40 });
  process.send?.('started');
  const [order] = (await once(process, 'message')) as [string];
  if (order === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  process.send?.('stopping', () => {
    // Busy before and after, so that the last sign of life is long ago when the process goes on.
    work();
    process.kill(process.pid, 'SIGSTOP');
    work();
    process.disconnect();
  });
}

/** For a tenth of a second of processor time, which does not pass while the process is stopped. */
function work(): void {
  const startedAt = readCpuMs();
  while (readCpuMs() - startedAt < 100);
}

function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
