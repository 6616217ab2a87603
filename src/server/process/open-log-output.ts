import { createWriteStream, fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Where the log's lines go. It never waits, never fails, and holds a bounded amount of text. */
export type LogOutput = {
  readonly write: (lines: string) => void;
  /** How many lines were dropped since the start. */
  readonly droppedLines: () => number;
  /** Resolves with true when everything is written or dropped, or with false after this time. */
  readonly flush: (withinMs: number) => Promise<boolean>;
};

export type LogOutputOptions = {
  readonly open?: () => Writable;
  readonly maxHeldChars?: number;
  /** Told how many lines were dropped, when lines can be written again. */
  readonly onResume: (dropped: number) => void;
};

const STANDARD_OUTPUT = 1;
/** A few thousand lines: enough for a reader that pauses. */
const MAX_HELD_CHARS = 1_000_000;

/**
 * Writes to standard output. It holds what a slow reader does not take, up to a bound. It drops and counts what is beyond
 * the bound, and what a full disk does not take.
 */
export function openLogOutput({
  open = openStandardOutput,
  maxHeldChars = MAX_HELD_CHARS,
  onResume,
}: LogOutputOptions): LogOutput {
  let stream = listen(open());
  let dropped = 0;
  let untold = 0;

  return {
    write: (lines) => {
      reopen();
      if (stream.writableLength + lines.length > maxHeldChars) drop(lines);
      else stream.write(lines, (error) => (error ? drop(lines) : tell()));
    },
    droppedLines: () => dropped,
    flush: (withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), withinMs);
        reopen();
        stream.write('', () => {
          clearTimeout(timer);
          resolve(true);
        });
      }),
  };

  /** A stream that has failed once takes nothing more, although the disk may have room again. */
  function reopen(): void {
    if (!stream.errored && !stream.destroyed) return;
    const next = open();
    if (next !== stream) stream = listen(next);
  }

  function drop(lines: string): void {
    const count = lines.split('\n').length - 1;
    dropped += count;
    untold += count;
  }

  function tell(): void {
    if (untold === 0) return;
    const count = untold;
    untold = 0;
    onResume(count);
  }
}

function listen(stream: Writable): Writable {
  // Each write has its own callback for a failure. But without a listener here the process would end.
  return stream.on('error', () => undefined);
}

/**
 * Node writes to a pipe or a socket without blocking. A file is written by a thread, so that nobody waits for a slow disk. A
 * thread would be wrong for a pipe: while the reader pauses, neither the thread nor the process could end.
 */
function openStandardOutput(): Writable {
  const found = fstatSync(STANDARD_OUTPUT);
  if (found.isFIFO() || found.isSocket()) return process.stdout;
  return createWriteStream('', { fd: STANDARD_OUTPUT, autoClose: false });
}
