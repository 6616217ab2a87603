import { type Logger, destination, pino } from 'pino';
import pretty from 'pino-pretty';

export type ServerLog = {
  readonly log: Logger;
  /** Writes out what is still held back. */
  readonly flush: () => void;
};

/** Held back until there is this much, or a second has passed: a write for each request would be the dearest part of it. */
const BUFFER_BYTES = 8_192;
const FLUSH_MS = 1_000;

/** Logs to standard output: JSON, one line each, or readable text where a person looks on. */
export function createLog({ isTerminal }: { readonly isTerminal: boolean }): ServerLog {
  if (isTerminal) {
    return {
      log: pino(pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', sync: true })),
      flush: () => undefined,
    };
  }
  const output = destination({ sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  return {
    log: pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, output),
    flush: () => output.flushSync(),
  };
}
