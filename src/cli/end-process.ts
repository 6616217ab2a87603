import { write } from 'node:fs';

const STANDARD_ERROR = 2;
const TELLING_LIMIT_MS = 500;

/** Ends the process at once, and says why on standard error. It works although a thread is stuck, unlike `process.exit`. */
export function endProcess(reason: string): void {
  // Nobody may read standard error either.
  setTimeout(kill, TELLING_LIMIT_MS);
  write(STANDARD_ERROR, `waypost: ${reason}\n`, kill);
}

/** Ends the process if it is still there after this long, and names what kept it. */
export function endInTime(limitMs: number): void {
  const end = (): void => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
    endProcess(
      `it should have ended by itself within ${limitMs / 1_000} s, and is ended now. Still open: ${open}`,
    );
  };
  setTimeout(end, limitMs).unref();
}

function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}
