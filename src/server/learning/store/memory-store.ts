import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCode } from '../../process/read-code.ts';
import { withDeadline } from '../../process/with-deadline.ts';
import { WINDOW_MS, addCounts, createCounts, isEmpty } from '../counts.ts';
import type { ClosedWindow, MeasurementStore } from './measurement-store.ts';
import { createFileReplacer } from '../../process/file-replacer.ts';

export type MemoryStoreOptions = {
  /** Where the snapshot is kept. */
  readonly dataDir: string;
  readonly now: () => number;
  readonly windowMs?: number;
  /** How long the disk may take. */
  readonly diskTimeoutMs?: number;
};

const FILE = 'measurements.snapshot';

/** Counts in this process's memory, for a portal that runs alone. The snapshot is a file in the data folder. */
export function createMemoryStore({
  dataDir,
  now,
  windowMs = WINDOW_MS,
  diskTimeoutMs = 5_000,
}: MemoryStoreOptions): MeasurementStore {
  const path = join(dataDir, FILE);
  const replace = createFileReplacer(path);
  let open = openWindow();
  let closed: ClosedWindow[] = [];

  return {
    windowMs,
    snapshotEveryMs: windowMs,
    add: (counts) => {
      turnWindow();
      addCounts(open.counts, counts);
    },
    readSince: async () => {
      turnWindow();
      const windows = closed;
      closed = [];
      return { windows, lastNumber: open.number - 1, isComplete: true };
    },
    loadSnapshot: () => waitForDisk(readSnapshot()),
    saveSnapshot: async ({ folds, bytes }) => {
      await waitForDisk(replace(bytes));
      return folds;
    },
    close: async () => (isEmpty(open.counts) ? undefined : open),
  };

  function waitForDisk<T>(job: Promise<T>): Promise<T> {
    return withDeadline(job, diskTimeoutMs, `the disk did not answer within ${diskTimeoutMs} ms for ${path}`);
  }

  async function readSnapshot(): Promise<Buffer | undefined> {
    try {
      return await readFile(path);
    } catch (error) {
      if (readCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  function openWindow(): ClosedWindow {
    return { number: Math.floor(now() / windowMs), counts: createCounts() };
  }

  function turnWindow(): void {
    // A new window opens whether the clock went on or was set back.
    if (Math.floor(now() / windowMs) === open.number) return;
    if (!isEmpty(open.counts)) closed.push(open);
    open = openWindow();
  }
}
