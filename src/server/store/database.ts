/** What both engines store and give back unchanged. Times are UTC milliseconds; true is 1 and false is 0. */
export type Value = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, Value>>;

/** Runs one statement and returns its rows. The statement names its values `$1`, `$2`, …, each as often as it likes. */
export type Query = <R extends Row>(sql: string, values?: readonly Value[]) => Promise<readonly R[]>;

export type Transaction = {
  readonly query: Query;
  /** Runs a statement that changes rows. Returns the number of rows that it changed. */
  readonly change: (sql: string, values?: readonly Value[]) => Promise<number>;
};

/**
 * Where a portal keeps what must outlive it: a SQLite file, or PostgreSQL. Every call ends within 5 seconds, and rejects with a
 * `StoreAwayError` while the database is away.
 */
export type Database = {
  /** Runs one query. It never waits for a transaction. */
  readonly read: Query;
  /**
   * Runs the work in one serializable transaction, so that all of it is kept, or nothing. If another transaction gets in the way,
   * the work runs again: it must have no other effects.
   */
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** A database before its tables are made. */
export type Engine = Database & {
  /** What the messages to the operator call the database: a file, or a host with the name of a database. Never a password. */
  readonly name: string;
  /** Rejects if this database can never be used: it is too old, for example. */
  readonly check: () => Promise<void>;
  /** Runs the work in one transaction, after those of others that were run in this way, so that it sees what they did. */
  readonly transactAlone: Database['transaction'];
};

/** The database does not answer, or takes no change. It may be back later. */
export class StoreAwayError extends Error {
  override readonly name: string = 'StoreAwayError';
  readonly code = 'store-away';
}

/** The disk of the database is full. Nothing was changed. */
export class StoreFullError extends StoreAwayError {
  override readonly name = 'StoreFullError';
}

/** The database cannot be used until the operator changes something. The message says what. */
export class StoreFaultError extends Error {
  override readonly name = 'StoreFaultError';
  readonly code = 'store';
}

/** The answer to a commit was lost: the change may have been made. */
export class UncertainCommitError extends Error {
  override readonly name = 'UncertainCommitError';
  readonly code = 'store-uncertain';
}

/** Another transaction got in the way. `retryConflicts` runs the work again. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly code = 'store-conflict';
}

/** Every call to a database ends within this time. */
export const CALL_LIMIT_MS = 5_000;
/** How many calls may wait for one connection. */
export const MAX_WAITING_CALLS = 1_000;
