import { write } from 'node:fs';
import { requestLine } from '../line/request-line.ts';
import { createLog } from '../server/process/create-log.ts';
import { type RunningServer, type ServerOptions, startServer } from '../server/main.ts';
import { startWatchdog } from '../server/process/start-watchdog.ts';
import { waitForSignal } from './command.ts';

export type ServeOptions = Omit<ServerOptions, 'log' | 'droppedLogLines'> & {
  readonly isTerminal: boolean;
  /** False for a debugger, which stops the process for as long as somebody looks. */
  readonly hasWatchdog: boolean;
  readonly onListening?: (server: RunningServer) => void;
};

/** The server closes within 9 s by itself. Process managers wait 10 s before they end it the hard way. */
const ENDING_LIMIT_MS = 9_500;
const FAILED_START_LIMIT_MS = 1_000;
const STANDARD_ERROR = 2;
const LAST_WORDS_LIMIT_MS = 500;

/** How the server sends a line the speed check. */
export const askLine: NonNullable<ServerOptions['askLine']> = (address, options) =>
  requestLine(address, { now: () => performance.now(), ...options });

/** Runs the server until the process is told to stop. */
export async function servePortal({
  isTerminal,
  hasWatchdog,
  onListening,
  ...options
}: ServeOptions): Promise<void> {
  const { flush, ...logging } = await createLog({ isTerminal });
  if (hasWatchdog) startWatchdog();
  let isWritten = true;
  try {
    const server = await startServer({ ...options, ...logging });
    // Whoever waits for the word that it listens need not wait for the rest of a batch.
    await flush();
    onListening?.(server);
    await waitForSignal(process);
    endInTime(ENDING_LIMIT_MS);
    await server.close();
  } finally {
    isWritten = await flush();
    // After a start that failed, too: a disk that hangs keeps the process alive.
    endInTime(FAILED_START_LIMIT_MS);
  }
  if (!isWritten) endProcess('closed, but nobody takes the log: its last lines are lost');
}

/** Ends the process at once, and says why on standard error. It works although a thread is stuck, unlike `process.exit`. */
function endProcess(reason: string): void {
  // Nobody may read standard error either.
  setTimeout(kill, LAST_WORDS_LIMIT_MS);
  write(STANDARD_ERROR, `waypost: ${reason}\n`, kill);
}

/** Ends the process if it is still there after this long, and names what kept it. */
function endInTime(limitMs: number): void {
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
