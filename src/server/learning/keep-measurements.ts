import type { Logger } from 'pino';
import { createLimit } from '../../contract/create-limit.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { StepWatch } from '../process/create-step-watch.ts';
import { followState } from '../process/follow-state.ts';
import type { Database } from '../store/database.ts';
import type { LastGood } from '../store/open-last-good.ts';
import type { Steering } from './create-steering.ts';
import { type ClosedCounts, type VisitCounter, createVisitCounter } from './create-visit-counter.ts';
import { type Counts, addCounts, createCounts } from './counts.ts';
import { type History, createHistory } from './create-history.ts';
import { type OwnPart, createPartQueue } from './create-part-queue.ts';
import { packSnapshot, readChecksum, unpackSnapshot } from './snapshot-file.ts';
import { type Snapshot, decodeSnapshot, encodeSnapshot } from './snapshot.ts';
import {
  type SealedWindow,
  type StoredSnapshot,
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
  /** Writes what would be forgotten. */
  readonly close: () => Promise<void>;
};

export type MeasurementDeps = {
  readonly database: Pick<
    Database,
    'isShared' | 'read' | 'change' | 'transaction' | 'watch' | 'lead' | 'state'
  >;
  readonly lastGood: LastGood;
  readonly steering: Pick<Steering, 'foldInSteps' | 'knowledge' | 'restore'>;
  readonly metrics: Pick<Metrics, 'countFold' | 'countSnapshot' | 'countDroppedWindow' | 'setDatabaseUp'>;
  readonly steps: StepWatch;
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
  const { database, lastGood, steering, metrics, steps, log, now } = deps;
  const { maxWaitingCells = MAX_WAITING_CELLS, onWindow } = deps;
  const history = createHistory();
  const windows = openWindowLog(deps);
  const { closeWindow, takeClosed, ...counter } = createVisitCounter(now);
  const waiting = createPartQueue(maxWaitingCells);
  // What was written, and was not learned from yet.
  const written = new Map<string, OwnPart>();
  // Whether there may be parts in the database that belong to no window. A portal that was stopped may have left some.
  let isUnsealed = true;
  let hasNews = false;
  // True while this portal has learned something that the others have not, or not in the same order.
  let isApart = false;
  // The last window that was learned from.
  let seq = 0;
  let folds = 0;
  // The last window of which a snapshot was made, and what was known then.
  let checkpoint: Pick<StoredSnapshot, 'seq' | 'checksum'> | undefined;
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
  if (isApart) await restoreLastGood();
  const stopWatching = database.watch(WINDOWS_TOPIC, async ({ isRewound }) => {
    hasNews = true;
    if (isRewound) isApart = true;
    await keep();
  });

  return {
    ...counter,
    history,
    folds: () => folds,
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
    if (isApart) await fold(closed.counts, closed.at);
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
    await compareCheckpoint();
    for (;;) {
      const [first, ...others] = await windows.readSince(seq, (id) => written.get(id)?.counts);
      if (first === undefined) break;
      // The windows between are no longer kept.
      if (first.seq !== seq + 1) await restore();
      await learn([first, ...others].filter((window) => window.seq > seq));
      if (others.length + 1 < WINDOWS_PER_READ) break;
    }
    if (areAllSealed) written.clear();
  }

  async function learn(sealed: readonly SealedWindow[]): Promise<void> {
    const last = sealed.at(-1)?.seq ?? 0;
    for (const window of sealed) {
      await foldSealed(window);
      if (window.seq === last - (last % WINDOWS_PER_SNAPSHOT)) await keepSnapshot();
    }
  }

  async function foldSealed({ seq: number, at, parts }: SealedWindow): Promise<void> {
    const counts = steps.run('add up counts', () => addUp(parts));
    await fold(counts, at);
    onWindow?.(counts, at);
    for (const { id } of parts) written.delete(id);
    seq = number;
  }

  async function fold(counts: Counts, at: number): Promise<void> {
    await steps.runSteps('fold', steering.foldInSteps(counts, at));
    steps.run('add to history', () => history.addWindow(counts, at));
    folds += 1;
    metrics.countFold();
  }

  /** Learns from what this portal has counted, and from nothing else, until the database is back. */
  async function turnApart(): Promise<void> {
    if (isApart) return;
    isApart = true;
    for (const { counts, at } of [...written.values(), ...waiting.list()]) await fold(counts, at);
  }

  /** What is known now, in the data folder for a start without the database, and from one portal in the database for all. */
  async function keepSnapshot(): Promise<void> {
    const { bytes, ...mark } = await encode();
    checkpoint = mark;
    const packed = await packSnapshot(bytes);
    void lastGood.keep('snapshot', packed);
    try {
      // One is enough. If two believe that they lead, the first one's is kept.
      if ((await database.lead()) === undefined) return;
      await windows.saveSnapshot({ ...mark, bytes: packed });
      metrics.countSnapshot('saved');
    } catch (error) {
      log.warn({ err: error }, 'the snapshot of the measurements could not be saved: the next one may be');
    }
  }

  /**
   * Portals that took up a new version of the site at different moments have learned different things from the same window. Then
   * the snapshot counts.
   */
  async function compareCheckpoint(): Promise<void> {
    const mark = checkpoint && (await windows.readMark());
    if (checkpoint === undefined || mark === undefined || mark.seq < checkpoint.seq) return;
    const isSame = mark.seq > checkpoint.seq || mark.checksum === checkpoint.checksum;
    checkpoint = undefined;
    if (!isSame) await restore();
  }

  /** Starts again from the snapshot of all portals. The first portal makes it from what it knows. */
  async function restore(): Promise<void> {
    const stored = await windows.readSnapshot();
    if (stored === undefined || !(await takeOver(stored.bytes))) {
      if (stored === undefined) {
        if (folds === 0) await restoreLastGood();
        seq = 0;
      } else {
        await windows.discardSnapshot(stored);
        ({ seq } = stored);
      }
      const { bytes, ...mark } = await encode();
      await windows.saveSnapshot({ ...mark, bytes: await packSnapshot(bytes) });
      // Another portal may have been faster.
      const kept = await windows.readSnapshot();
      if (kept !== undefined) await takeOver(kept.bytes);
    }
    hasNews = true;
    isApart = false;
  }

  async function restoreLastGood(): Promise<void> {
    const bytes = await lastGood.read('snapshot');
    if (bytes !== undefined) await takeOver(bytes);
  }

  /** Returns false if the bytes cannot be read. */
  async function takeOver(bytes: Buffer): Promise<boolean> {
    let snapshot: Snapshot;
    try {
      snapshot = await steps.runSteps('read snapshot', decodeSnapshot(await unpackSnapshot(bytes)));
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
  }

  async function encode(): Promise<StoredSnapshot> {
    for (;;) {
      const knowledge = steering.knowledge();
      const snapshot = { seq, knowledge, history: history.save() };
      const bytes = await steps.runSteps('write snapshot', encodeSnapshot(snapshot));
      // If the lines of the site have changed meanwhile, this is neither what was known before nor what is known now.
      if (steering.knowledge() === knowledge) return { seq, checksum: readChecksum(bytes), bytes };
    }
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
