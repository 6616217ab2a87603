import { DAY_MS, HOUR_MS } from '../../contract/limits.ts';
import { type RecordingFile, type RecordingStore, dayOf } from './recording-store.ts';

/** What the recordings take of the disk, and what must leave it. */
export type DiskRoom = {
  readonly bytes: () => number;
  readonly add: (bytes: number) => void;
  /** Counts all files anew. */
  readonly count: () => Promise<void>;
  readonly removeDaysBefore: (day: string) => Promise<void>;
  /**
   * Removes what is too old or too much. It does nothing until an hour is over, or there is too much. Returns the time before
   * which nothing is kept; undefined if it did nothing.
   */
  readonly prune: () => Promise<number | undefined>;
};

export type DiskRoomOptions = {
  readonly store: Pick<RecordingStore, 'listDays' | 'listFiles'>;
  /** Removes a file, and what is known of it. */
  readonly removeFile: (file: RecordingFile) => Promise<void>;
  readonly limits: () => { readonly keepDays: number; readonly keepBytes: number };
  readonly now: () => number;
};

const PRUNE_EVERY_MS = HOUR_MS;
/** What is too much is removed down to this part, so that the next message does not make the portal count all files again. */
const KEPT_PART = 0.95;

/** Creates what keeps the recordings within `keepDays` and `keepBytes`. */
export function createDiskRoom({ store, removeFile, limits, now }: DiskRoomOptions): DiskRoom {
  let bytesOnDisk = 0;
  let prunedAt = Number.NEGATIVE_INFINITY;

  return {
    bytes: () => bytesOnDisk,
    add: (bytes) => void (bytesOnDisk += bytes),
    count,
    removeDaysBefore,
    prune: async () => {
      const { keepDays, keepBytes } = limits();
      const sinceMs = now() - prunedAt;
      // Or the clock was set back.
      const isDue = sinceMs >= PRUNE_EVERY_MS || sinceMs < 0;
      if (!isDue && bytesOnDisk <= keepBytes) return undefined;
      prunedAt = now();
      const oldest = now() - keepDays * DAY_MS;
      await removeDaysBefore(dayOf(oldest));
      await count();
      if (bytesOnDisk > keepBytes) await removeBeyond(keepBytes * KEPT_PART);
      return oldest;
    },
  };

  async function count(): Promise<void> {
    let bytes = 0;
    for (const day of await store.listDays()) {
      for (const file of await store.listFiles(day)) bytes += file.bytes;
    }
    bytesOnDisk = bytes;
  }

  async function removeDaysBefore(before: string): Promise<void> {
    for (const day of await store.listDays()) {
      if (day >= before) return;
      for (const file of await store.listFiles(day)) await removeFile(file);
    }
  }

  /** Removes the oldest sessions of the oldest days, until the rest fits. */
  async function removeBeyond(keepBytes: number): Promise<void> {
    for (const day of await store.listDays()) {
      if (bytesOnDisk <= keepBytes) return;
      const files = await store.listFiles(day);
      for (const file of files.toSorted((a, b) => a.changedAt - b.changedAt)) {
        if (bytesOnDisk <= keepBytes) return;
        await removeFile(file);
        bytesOnDisk -= file.bytes;
      }
    }
  }
}
