import { write } from 'node:fs';

const STANDARD_ERROR = 2;
const LAST_WORDS_LIMIT_MS = 500;

/** Ends the process at once, with a reason on standard error. Unlike `process.exit`, it works if a thread is stuck. */
export function endProcess(reason: string): void {
  // Writing hangs if nobody reads standard error.
  setTimeout(kill, LAST_WORDS_LIMIT_MS);
  write(STANDARD_ERROR, `waypost: ${reason}\n`, kill);
}

function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}
