import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';
import type { StoreState } from '../process/store-state.ts';
import type { Steering } from './create-steering.ts';
import { type CountedReport, countReport } from './count-report.ts';
import { type Counts, addVisits, createCounts, openTally } from './counts.ts';
import { type History, createHistory } from './history.ts';
import { packSnapshot, unpackSnapshot } from './snapshot.ts';
import type { ClosedWindow, MeasurementStore, StoredSnapshot } from './store/measurement-store.ts';

/** Counts what visitors measure, and teaches it to the steering. */
export type MeasurementKeeper = {
  readonly countReport: (report: CountedReport) => void;
  readonly countHostnameCall: () => void;
  /** Counts a line that was handed out. */
  readonly countHandedOut: (lineId: string) => void;
  /** Counts a line's part of a visit that was handed out. */
  readonly countVisit: (lineId: string, part: number) => void;
  /** The last 24 hours, for the console and for incidents. */
  readonly history: History;
  /** How many windows were folded: what is shown of them is new when it has grown. */
  readonly folds: () => number;
  /** Whether measurements can be kept, and since when that has been so. */
  readonly storeState: () => StoreState;
  /** Stores the hand-outs and folds the windows that have closed. Call it about once a second; it never rejects. */
  readonly foldWindows: () => Promise<void>;
  /** Saves what would be forgotten. */
  readonly close: () => Promise<void>;
};

export type MeasurementDeps = {
  readonly store: MeasurementStore;
  readonly steering: Pick<Steering, 'fold' | 'knowledge' | 'restore'>;
  readonly metrics: Pick<Metrics, 'countFold' | 'countSnapshot' | 'setStoreUp'>;
  readonly log: Logger;
  readonly now: () => number;
  /** Told of each window that was folded, and when it ended. */
  readonly onFold?: (counts: Counts, at: number) => void;
};

/** By how much the clock of Redis may be ahead of this machine's. */
const MAX_AHEAD_MS = 3_600_000;

/** Starts from the last snapshot, if there is one. If the store fails, counting and picking go on. */
export async function keepMeasurements({
  store,
  steering,
  metrics,
  log,
  now,
  onFold,
}: MeasurementDeps): Promise<MeasurementKeeper> {
  const history = createHistory();
  // Each hostname call hands out several lines. They are added up here, and go to the store before the next report,
  // and once a second.
  let handedOut = createCounts();
  let windowNumber = 0;
  let folds = 0;
  let savedFolds = 0;
  let savedAt = now();
  let storeState: StoreState = { isUp: true, since: now() };
  await attempt(restore);
  let folding: Promise<void> = Promise.resolve();

  return {
    history,
    folds: () => folds,
    storeState: () => storeState,
    countReport: (report) => {
      // First, or a window that ends now would have the report of a visitor without its hostname call.
      storeHandedOut();
      store.add(countReport(report));
    },
    countHostnameCall: () => {
      handedOut.site.hostnameCalls += 1;
    },
    countHandedOut: (lineId) => {
      openTally(handedOut, lineId).handedOut += 1;
    },
    countVisit: (lineId, part) => addVisits(openTally(handedOut, lineId), part),
    foldWindows: () => (folding = attempt(foldClosed)),
    close: async () => {
      await folding;
      await attempt(foldClosed);
      const last = await store.close();
      if (last !== undefined) fold(last);
      if (folds > savedFolds) await attempt(save);
    },
  };

  async function foldClosed(): Promise<void> {
    storeHandedOut();
    let reading = await store.readSince(windowNumber);
    if (!reading.isComplete) {
      await restore();
      reading = await store.readSince(windowNumber);
    }
    for (const window of reading.windows) fold(window);
    windowNumber = reading.lastNumber;
    // The distance in either direction, because the clock may have been set back.
    if (folds > savedFolds && Math.abs(now() - savedAt) >= store.snapshotEveryMs) await save();
  }

  function storeHandedOut(): void {
    store.add(handedOut);
    handedOut = createCounts();
  }

  function fold({ number, counts }: ClosedWindow): void {
    const endedAt = (number + 1) * store.windowMs;
    // A window from the future comes from a wrong clock. Folding it would make everything known look old, and so forget it.
    const at = endedAt > now() + MAX_AHEAD_MS ? now() : endedAt;
    steering.fold(counts, at);
    history.addWindow(counts, at);
    onFold?.(counts, at);
    folds += 1;
    metrics.countFold();
  }

  async function save(): Promise<void> {
    const kept = await store.saveSnapshot(await takeSnapshot());
    // Another replica has seen more than this one.
    if (kept > folds) await restore();
    // The stored snapshot says that it knows more, but this is not true, or nobody can read it.
    if (kept > folds) await store.saveSnapshot({ ...(await takeSnapshot()), isForced: true });
    savedAt = now();
    savedFolds = folds;
    metrics.countSnapshot('saved');
  }

  async function takeSnapshot(): Promise<StoredSnapshot> {
    const snapshot = { windowNumber, folds, knowledge: steering.knowledge(), history: history.save() };
    return { folds: snapshot.folds, bytes: await packSnapshot(snapshot) };
  }

  async function restore(): Promise<void> {
    const bytes = await store.loadSnapshot();
    if (bytes === undefined) return;
    try {
      const snapshot = await unpackSnapshot(bytes);
      if (snapshot.folds <= folds) return;
      steering.restore(snapshot.knowledge);
      history.restore(snapshot.history);
      ({ windowNumber, folds } = snapshot);
      savedFolds = folds;
      metrics.countSnapshot('restored');
    } catch (error) {
      metrics.countSnapshot('refused');
      log.warn({ err: error }, 'the snapshot of the measurements cannot be read: it is ignored');
    }
  }

  /** Logs once when the store fails, and once when it is back. */
  async function attempt(job: () => Promise<void>): Promise<void> {
    try {
      await job();
      if (!storeState.isUp) log.info('the measurements are kept again');
      noteStore(true);
    } catch (error) {
      if (storeState.isUp) log.error({ err: error }, 'the measurements cannot be kept for now');
      noteStore(false);
    }
  }

  function noteStore(isUp: boolean): void {
    if (isUp !== storeState.isUp) storeState = { isUp, since: now() };
    metrics.setStoreUp(isUp);
  }
}
