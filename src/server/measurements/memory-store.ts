import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Counts, addCount } from './counts.ts';
import { type ClosedWindow, type MeasurementStore, WINDOW_MS } from './measurement-store.ts';
import { replaceFile } from './replace-file.ts';

export type MemoryStoreOptions = {
  /** Where the snapshot is kept. */
  readonly dataDir: string;
  readonly now: () => number;
  readonly windowMs?: number;
};

const FILE = 'measurements.snapshot';

/** Counts in this process's memory, for a portal that runs alone. The snapshot is a file in the data folder. */
export function createMemoryStore({
  dataDir,
  now,
  windowMs = WINDOW_MS,
}: MemoryStoreOptions): MeasurementStore {
  const path = join(dataDir, FILE);
  let open = openWindow();
  let closed: ClosedWindow[] = [];

  return {
    windowMs,
    snapshotEveryMs: windowMs,
    add: (row, field, amount) => {
      turnWindow();
      addCount(open.counts, row, field, amount);
    },
    readSince: async () => {
      turnWindow();
      const windows = closed;
      closed = [];
      return { windows, lastNumber: open.number - 1, isComplete: true };
    },
    loadSnapshot: async () => {
      const bytes = await readFile(path).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      });
      return bytes;
    },
    saveSnapshot: async ({ folds, bytes }) => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await replaceFile(path, bytes);
      return folds;
    },
    close: async () => (open.counts.size > 0 ? open : undefined),
  };

  function openWindow(): ClosedWindow & { readonly counts: Counts } {
    return { number: Math.floor(now() / windowMs), counts: new Map() };
  }

  function turnWindow(): void {
    // Another one, whether the clock went on or was set back.
    if (Math.floor(now() / windowMs) === open.number) return;
    if (open.counts.size > 0) closed.push(open);
    open = openWindow();
  }
}
