import { type DestinationStream, type Logger, destination, pino } from 'pino';
import pretty from 'pino-pretty';

export type ServerLog = {
  readonly log: Logger;
  /** Writes out what is still held back. */
  readonly flush: () => void;
};

/** A line for each request is handed on in batches: one by one, they would be the dearest part of a request. */
const BATCH_LINES = 64;
const BATCH_MS = 1_000;

/** Logs to standard output: JSON, one line each, or readable text where a person looks on. */
export function createLog({ isTerminal }: { readonly isTerminal: boolean }): ServerLog {
  if (isTerminal) {
    const output = pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', sync: true });
    return { log: pino(output), flush: () => undefined };
  }
  const output = destination({ sync: false });
  const batch = createBatch((lines) => output.write(lines));
  return {
    log: pino({ base: null }, batch),
    flush: () => {
      batch.flush();
      output.flushSync();
    },
  };
}

function createBatch(write: (lines: string) => void): DestinationStream & { readonly flush: () => void } {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) write(lines.join(''));
    lines = [];
  };
  setInterval(flush, BATCH_MS).unref();
  return {
    flush,
    write: (line) => {
      if (lines.push(line) >= BATCH_LINES) flush();
    },
  };
}
