import type { Logger } from 'pino';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { StepWatch } from '../process/create-step-watch.ts';
import type { Counts } from './counts.ts';
import { type History, createHistory } from './create-history.ts';
import type { StoredSnapshot } from './create-snapshot-store.ts';
import type { Steering } from './create-steering.ts';
import { readChecksum, unpackSnapshot } from './snapshot-file.ts';
import { type Snapshot, decodeSnapshot, encodeSnapshot } from './snapshot.ts';

/** What a portal has learned: what its steering knows, and the last 24 hours. */
export type Learner = {
  readonly history: History;
  /** Grows each time that something was learned. */
  readonly folds: () => number;
  /** The last window that was learned from. */
  readonly seq: () => number;
  readonly setSeq: (seq: number) => void;
  /** Learns from the counts of a window that ended at this time. */
  readonly fold: (counts: Counts, at: number) => Promise<void>;
  /** Writes all of it into bytes, which are not packed yet. */
  readonly encode: () => Promise<StoredSnapshot>;
  /** Replaces all of it by a packed snapshot. Returns false if the bytes cannot be read. */
  readonly takeOver: (packed: Buffer) => Promise<boolean>;
};

export type LearnerDeps = {
  readonly steering: Pick<Steering, 'foldInSteps' | 'knowledge' | 'restore'>;
  readonly metrics: Pick<Metrics, 'countFold' | 'countSnapshot'>;
  readonly steps: StepWatch;
  readonly log: Pick<Logger, 'warn'>;
};

export function createLearner({ steering, metrics, steps, log }: LearnerDeps): Learner {
  const history = createHistory();
  let seq = 0;
  let folds = 0;

  return {
    history,
    folds: () => folds,
    seq: () => seq,
    setSeq: (given) => void (seq = given),
    fold: async (counts, at) => {
      await steps.runSteps('fold', steering.foldInSteps(counts, at));
      steps.run('add to history', () => history.addWindow(counts, at));
      folds += 1;
      metrics.countFold();
    },
    encode: async () => {
      for (;;) {
        const knowledge = steering.knowledge();
        const snapshot = { seq, knowledge, history: history.save() };
        const bytes = await steps.runSteps('write snapshot', encodeSnapshot(snapshot));
        // If the lines of the site have changed meanwhile, this is neither what was known before nor what is known now.
        if (steering.knowledge() === knowledge) return { seq, checksum: readChecksum(bytes), bytes };
      }
    },
    takeOver: async (packed) => {
      let snapshot: Snapshot;
      try {
        snapshot = await steps.runSteps('read snapshot', decodeSnapshot(await unpackSnapshot(packed)));
      } catch (error) {
        metrics.countSnapshot('refused');
        log.warn({ err: error }, 'the snapshot of the measurements cannot be read: it is ignored');
        return false;
      }
      steps.run('restore', () => steering.restore(snapshot.knowledge));
      history.restore(snapshot.history);
      ({ seq } = snapshot);
      folds += 1;
      metrics.countSnapshot('restored');
      return true;
    },
  };
}
