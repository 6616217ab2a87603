import type { Logger } from 'pino';
import { createLimit } from '../../contract/create-limit.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { followState } from '../process/follow-state.ts';
import type { Database } from '../store/database.ts';
import type { LastGood } from '../store/open-last-good.ts';
import { type ClosedCounts, type VisitCounter, createVisitCounter } from './create-visit-counter.ts';
import { type Counts, addCounts, createCounts } from './counts.ts';
import type { History } from './create-history.ts';
import { type LearnerDeps, createLearner } from './create-learner.ts';
import { type OwnPart, createPartQueue } from './create-part-queue.ts';
import { createSnapshotKeeper } from './create-snapshot-keeper.ts';
import {
  type SealedWindow,
  WINDOWS_PER_READ,
  WINDOWS_TOPIC,
  type WindowPart,
  openWindowLog,
} from './open-window-log.ts';

/** Counts what visitors measure, and teaches it to the steering. */
export type MeasurementKeeper = Omit<VisitCounter, 'closeWindow' | 'takeClosed'> & {
  /** The last 24 hours, for the console and for incidents. */
  readonly history: History;
  /** Grows each time that something was learned: what is shown of it is new then. */
  readonly folds: () => number;
  /** Writes what was counted, and learns from the windows that were sealed. Call it about once a second; it never rejects. */
  readonly foldWindows: () => Promise<void>;
  /** Writes what is not in the database yet. */
  readonly close: () => Promise<void>;
};

export type MeasurementDeps = Pick<LearnerDeps, 'steering' | 'steps'> & {
  readonly database: Pick<
    Database,
    'isShared' | 'read' | 'change' | 'transaction' | 'watch' | 'lead' | 'state'
  >;
  readonly lastGood: LastGood;
  readonly metrics: Pick<Metrics, 'countFold' | 'countSnapshot' | 'countDroppedWindow' | 'setDatabaseUp'>;
  readonly log: Logger;
  readonly now: () => number;
  readonly maxWaitingCells?: number;
  /** Told of each window that all portals learn from, once. */
  readonly onWindow?: ((counts: Counts, at: number) => void) | undefined;
};

/** A snapshot is made after each sixth window: once a minute. */
const WINDOWS_PER_SNAPSHOT = 6;
/** While the database is away, counts are added up to this many numbers: some 10 MB, an hour of 100,000 visitors an hour. */
const MAX_WAITING_CELLS = 100_000;

/**
 * All portals learn from the same windows in the same order, and so know the same, to the last bit. While the database is away,
 * a portal learns from its own visitors, and starts again from what all know when it is back.
 */
export async function keepMeasurements(deps: MeasurementDeps): Promise<MeasurementKeeper> {
  const { database, metrics, steps, log, now } = deps;
  const { maxWaitingCells = MAX_WAITING_CELLS, onWindow } = deps;
  const learner = createLearner(deps);
  const snapshots = createSnapshotKeeper({ ...deps, learner });
  const windows = openWindowLog(deps);
  const { closeWindow, takeClosed, ...counter } = createVisitCounter(now);
  const waiting = createPartQueue(maxWaitingCells);
  // What was written, and was not learned from yet.
  const written = new Map<string, OwnPart>();
  // Whether there may be parts in the database that belong to no window. A portal that was stopped may have left some.
  let isUnsealed = true;
  let hasNews = false;
  // The last window that was told of. Those after a snapshot are learned from again when this portal starts again from it.
  let toldSeq = 0;
  // True while this portal has learned something that the others have not, or not in the same order.
  let isApart = false;
  const keeping = followState({
    now,
    onFail: (error) => log.error({ err: error }, 'the measurements cannot be kept for now'),
    onPass: () => log.info('the measurements are kept again'),
  });
  const inTurn = createLimit(1);

  await attempt(async () => {
    await restore();
    await learnAll();
  });
  if (isApart) await snapshots.restoreLastGood();
  const stopWatching = database.watch(WINDOWS_TOPIC, async ({ isRewound }) => {
    hasNews = true;
    if (isRewound) [isApart, toldSeq] = [true, 0];
    await keep();
  });

  return {
    ...counter,
    history: learner.history,
    folds: learner.folds,
    foldWindows: keep,
    close: async () => {
      stopWatching();
      closeWindow();
      await keep();
    },
  };

  /** One at a time: it is called every second, and when another portal has sealed a window. */
  function keep(): Promise<void> {
    return inTurn(() => attempt(keepOnce));
  }

  async function keepOnce(): Promise<void> {
    for (const closed of takeClosed()) await queue(closed);
    await writeWaiting();
    if (isUnsealed && (await windows.seal())) [isUnsealed, hasNews] = [false, true];
    // What this portal has learned alone is not forgotten before it is in a window.
    if (isApart && !isUnsealed) await restore();
    if (hasNews && !isApart) await learnAll();
  }

  async function queue(closed: ClosedCounts): Promise<void> {
    if (!waiting.add(closed)) metrics.countDroppedWindow();
    if (isApart) await learner.fold(closed.counts, closed.at);
  }

  async function writeWaiting(): Promise<void> {
    for (let part = waiting.next(); part !== undefined; part = waiting.next()) {
      await windows.write(part);
      waiting.removeNext();
      written.set(part.id, part);
      isUnsealed = true;
    }
  }

  async function learnAll(): Promise<void> {
    const areAllSealed = !isUnsealed;
    hasNews = false;
    const isSame = await snapshots.isAsOthers();
    if (!isSame) await restore();
    for (;;) {
      const [first, ...others] = await windows.readSince(learner.seq(), (id) => written.get(id)?.counts);
      if (first === undefined) break;
      // The windows between are no longer kept.
      if (first.seq !== learner.seq() + 1) await restore();
      await learn([first, ...others].filter(({ seq }) => seq > learner.seq()));
      if (others.length + 1 < WINDOWS_PER_READ) break;
    }
    if (areAllSealed) written.clear();
  }

  async function learn(sealed: readonly SealedWindow[]): Promise<void> {
    const last = sealed.at(-1)?.seq ?? 0;
    for (const window of sealed) {
      await foldSealed(window);
      if (window.seq === last - (last % WINDOWS_PER_SNAPSHOT)) await snapshots.keep();
    }
  }

  async function foldSealed({ seq, at, parts }: SealedWindow): Promise<void> {
    const counts = steps.run('add up counts', () => addUp(parts));
    await learner.fold(counts, at);
    if (seq > toldSeq) onWindow?.(counts, at);
    toldSeq = Math.max(toldSeq, seq);
    for (const { id } of parts) written.delete(id);
    learner.setSeq(seq);
  }

  /** Learns from what this portal has counted, and from nothing else, until the database is back. */
  async function turnApart(): Promise<void> {
    if (isApart) return;
    isApart = true;
    for (const { counts, at } of [...written.values(), ...waiting.list()]) await learner.fold(counts, at);
  }

  /** Starts again from what all portals know. */
  async function restore(): Promise<void> {
    await snapshots.restore();
    hasNews = true;
    isApart = false;
  }

  async function attempt(job: () => Promise<void>): Promise<void> {
    try {
      await job();
      keeping.pass();
    } catch (error) {
      keeping.fail(error);
      await turnApart();
    }
    // This job may not have used the database, so the database's own state counts, too.
    metrics.setDatabaseUp(keeping.state().isUp && database.state().isUp);
  }
}

function addUp(parts: readonly WindowPart[]): Counts {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first.counts;
  const sum = createCounts();
  for (const { counts } of parts) addCounts(sum, counts);
  return sum;
}
