import { setFlagsFromString } from 'node:v8';
import { createPublicAddressTest } from '../line/is-public-address.ts';
import { requestLine } from '../line/request-line.ts';
import { createLog } from '../server/process/create-log.ts';
import type { RunningServer, ServerOptions } from '../server/main.ts';
import { endProcess } from '../server/process/end-process.ts';
import { startWatchdog } from '../server/process/start-watchdog.ts';
import { checkFolder } from './given-paths.ts';
import { waitForSignal } from './command.ts';

export type ServeOptions = Omit<ServerOptions, 'log' | 'droppedLogLines'> & {
  readonly isTerminal: boolean;
  /** How long the main thread may be stuck. Undefined for a debugger, because a stopped process would look stuck. */
  readonly watchdogLimitMs: number | undefined;
  readonly onListening?: (server: RunningServer) => void;
};

/** The server closes within 9 s. Process managers kill it after 10 s. */
const ENDING_LIMIT_MS = 9_500;
const FAILED_START_LIMIT_MS = 1_000;
/** Garbage is collected when it has 30 % of the size of what is in use. V8 alone would let it grow to several times that size. */
const GARBAGE_PERCENT = 30;

/** Sends a line the speed check, for the server's own watch. */
export const askLine: NonNullable<ServerOptions['askLine']> = (address, options) =>
  requestLine(address, { now: () => performance.now(), ...options });

/** Sends a line the speed check, for somebody at the console: only to machines on the internet, unless told otherwise. */
export function createCheckLine({ allowsPrivate }: { readonly allowsPrivate: boolean }): typeof askLine {
  const isAllowed = allowsPrivate ? () => true : createPublicAddressTest();
  return (address, options) => requestLine(address, { now: () => performance.now(), isAllowed, ...options });
}

/** Runs the server until the process is told to stop. */
export async function servePortal({
  isTerminal,
  watchdogLimitMs,
  onListening,
  ...options
}: ServeOptions): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
  const { flush, ...logging } = await createLog({ isTerminal });
  if (watchdogLimitMs !== undefined) startWatchdog({ limitMs: watchdogLimitMs });
  let isWritten = true;
  try {
    await checkFolder('--data', options.dataDir);
    // Imported here, so that `--help` does not load the server.
    const { startServer } = await import('../server/main.ts');
    const server = await startServer({ ...options, ...logging });
    // The log line that says "listening" must not wait for a full batch.
    await flush();
    onListening?.(server);
    await waitForSignal(process);
    endInTime(ENDING_LIMIT_MS);
    await server.close();
  } finally {
    isWritten = await flush();
    // Also after a failed start, because a disk that hangs would keep the process alive.
    endInTime(FAILED_START_LIMIT_MS);
  }
  if (!isWritten) endProcess('closed, but standard output takes no lines: the last log lines are lost');
}

/** Ends the process if it is still running after this long, and names what kept it. */
function endInTime(limitMs: number): void {
  const end = (): void => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
    endProcess(`the process did not end within ${limitMs / 1_000} s, so it is killed. Still open: ${open}`);
  };
  setTimeout(end, limitMs).unref();
}
