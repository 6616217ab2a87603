import type { Counts } from '../counts.ts';

/** The counts of a stretch of time that is over: nothing is added to them any more. */
export type ClosedWindow = {
  /** Windows are numbered since 1970. */
  readonly number: number;
  readonly counts: Counts;
};

export type Reading = {
  /** The windows in which something was counted, oldest first. */
  readonly windows: readonly ClosedWindow[];
  /** The last window that was read, even if nothing was counted in it. The next reading begins after it. */
  readonly lastNumber: number;
  /** False where windows that were asked for are no longer kept: a snapshot has to fill the gap. */
  readonly isComplete: boolean;
};

/** What was learned, in bytes. */
export type StoredSnapshot = {
  /** How many windows were folded into it: of two snapshots the one with more of them knows more. */
  readonly folds: number;
  readonly bytes: Buffer;
  /** True where it replaces any other. */
  readonly isForced?: boolean;
};

/**
 * Where counts wait until they are folded, and where what was learned outlives a restart. Everybody who reads it gets the
 * same windows; what it does in the background never holds a request up.
 */
export type MeasurementStore = {
  readonly windowMs: number;
  /** How often a snapshot should be saved. */
  readonly snapshotEveryMs: number;
  /** Adds to what is counted now. Never waits, never fails. */
  readonly add: (counts: Counts) => void;
  /** The windows that have closed since the given one. To be called about once a second. */
  readonly readSince: (windowNumber: number) => Promise<Reading>;
  readonly loadSnapshot: () => Promise<Buffer | undefined>;
  /** Saves a snapshot unless there is one that knows as much. Resolves with the folds of the one that is kept. */
  readonly saveSnapshot: (snapshot: StoredSnapshot) => Promise<number>;
  /** Ends it. The counts that would be lost with it come back, as a last window. */
  readonly close: () => Promise<ClosedWindow | undefined>;
};
