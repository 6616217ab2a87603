import type { Logger } from 'pino';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Database } from '../store/database.ts';
import type { LastGood } from '../store/open-last-good.ts';
import type { Learner } from './create-learner.ts';
import { type SnapshotMark, createSnapshotStore } from './create-snapshot-store.ts';
import { packSnapshot } from './snapshot-file.ts';

/** Keeps what all portals have learned, for those that start, and for those that were alone. */
export type SnapshotKeeper = {
  /** Keeps what is known now: in the data folder for a start without the database, and from one portal in the database for all. */
  readonly keep: () => Promise<void>;
  /**
   * Whether this portal knows what the others know. Portals that took up a new version of the site at different moments have learned
   * different things from the same window. True as long as nobody knows.
   */
  readonly isAsOthers: () => Promise<boolean>;
  /** Starts again from the snapshot of all portals. The first portal makes it from what it knows. */
  readonly restore: () => Promise<void>;
  /** Starts again from the copy in the data folder, if there is one. */
  readonly restoreLastGood: () => Promise<void>;
};

export type SnapshotKeeperDeps = {
  readonly learner: Learner;
  readonly database: Pick<Database, 'read' | 'change' | 'lead'>;
  readonly lastGood: LastGood;
  readonly metrics: Pick<Metrics, 'countSnapshot'>;
  readonly log: Pick<Logger, 'warn'>;
};

export function createSnapshotKeeper(deps: SnapshotKeeperDeps): SnapshotKeeper {
  const { learner, database, lastGood, metrics, log } = deps;
  const store = createSnapshotStore(database);
  // The last window of which a snapshot was made, and what was known then.
  let checkpoint: SnapshotMark | undefined;

  return {
    keep: async () => {
      const { bytes, ...mark } = await learner.encode();
      checkpoint = mark;
      const packed = await packSnapshot(bytes);
      void lastGood.keep('snapshot', packed);
      try {
        // One is enough. If two believe that they lead, the first one's is kept.
        if ((await database.lead()) === undefined) return;
        await store.save({ ...mark, bytes: packed });
        metrics.countSnapshot('saved');
      } catch (error) {
        log.warn({ err: error }, 'the snapshot of the measurements could not be saved: the next one may be');
      }
    },
    isAsOthers: async () => {
      const mark = checkpoint && (await store.readMark());
      if (checkpoint === undefined || mark === undefined || mark.seq < checkpoint.seq) return true;
      const isSame = mark.seq > checkpoint.seq || mark.checksum === checkpoint.checksum;
      checkpoint = undefined;
      return isSame;
    },
    restore: async () => {
      const stored = await store.read();
      if (stored !== undefined && (await learner.takeOver(stored.bytes))) return;
      if (stored === undefined) {
        if (learner.folds() === 0) await restoreLastGood();
        learner.setSeq(0);
      } else {
        await store.discard(stored);
        learner.setSeq(stored.seq);
      }
      const { bytes, ...mark } = await learner.encode();
      await store.save({ ...mark, bytes: await packSnapshot(bytes) });
      // Another portal may have been faster.
      const kept = await store.read();
      if (kept !== undefined) await learner.takeOver(kept.bytes);
    },
    restoreLastGood,
  };

  async function restoreLastGood(): Promise<void> {
    const bytes = await lastGood.read('snapshot');
    if (bytes !== undefined) await learner.takeOver(bytes);
  }
}
