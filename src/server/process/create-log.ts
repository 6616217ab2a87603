import { type DestinationStream, type Logger, pino } from 'pino';
import { type LogOutputOptions, openLogOutput } from './open-log-output.ts';

export type ServerLog = {
  readonly log: Logger;
  /** How many lines were dropped because nobody took them, or the disk was full. */
  readonly droppedLogLines: () => number;
  /** Writes the lines that are still held. Resolves within a second, with false if not all were written by then. */
  readonly flush: () => Promise<boolean>;
};

export type LogOptions = Pick<LogOutputOptions, 'open'> & { readonly isTerminal: boolean };

/** Lines are written in batches: one by one, they would cost more time than the rest of a request. */
const BATCH_CHARS = 32_768;
const BATCH_MS = 1_000;
const FLUSH_LIMIT_MS = 1_000;

/** Logs to standard output: JSON, one line each, or readable text where a person looks on. */
export async function createLog({ isTerminal, ...options }: LogOptions): Promise<ServerLog> {
  const output = openLogOutput({
    ...options,
    onResume: (dropped) =>
      log.warn({ dropped }, 'the log could not be written for a while: lines were dropped'),
  });
  const target = isTerminal ? await formatForTerminal(output) : createBatch(output);
  const log = pino(isTerminal ? {} : { base: null }, target);
  return {
    log,
    droppedLogLines: output.droppedLines,
    flush: () => {
      target.flush();
      return output.flush(FLUSH_LIMIT_MS);
    },
  };
}

type Target = DestinationStream & { readonly flush: () => void };

async function formatForTerminal(output: DestinationStream): Promise<Target> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => output.write(format(line)), flush: () => undefined };
}

function createBatch(output: DestinationStream): Target {
  let lines = '';
  const flush = (): void => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  setInterval(flush, BATCH_MS).unref();
  return {
    flush,
    write: (line) => {
      lines += line;
      if (lines.length >= BATCH_CHARS) flush();
    },
  };
}
