import type { StoreCode } from '../../contract/error-codes.ts';

/** What both engines store and give back unchanged. Times are UTC milliseconds; true is 1 and false is 0. */
export type Value = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, Value>>;

/**
 * Runs one statement and returns its rows. The statement names its values `$1`, `$2`, …, each as often as it likes. `$brand` stands for
 * the brand of this portal, and `$now` for the time of the database's own clock, which is the same for all portals.
 */
export type Query = <R extends Row>(sql: string, values?: readonly Value[]) => Promise<readonly R[]>;

/** Runs a statement that changes rows. Returns the number of rows that it changed. */
export type Change = (sql: string, values?: readonly Value[]) => Promise<number>;

export type Transaction = {
  readonly query: Query;
  readonly change: Change;
  /** Tells all portals, as soon as the transaction is kept, that what belongs to this topic has changed. */
  readonly announce: (topic: string) => Promise<void>;
  /**
   * Keeps all others from a table until the transaction is over. Call it first: then the transaction reads what the others have
   * finished.
   */
  readonly lock: (table: string) => Promise<void>;
};

/** What a portal knows when it follows a topic. */
export type News = {
  /** The history of the database went back, because it was restored, or a standby took over: all that is known may be wrong. */
  readonly isRewound: boolean;
};

/** Whether something can be kept, in the database or on a disk, and since when that has been so. */
export type StoreState = { readonly isUp: boolean; readonly since: number };

export type DatabaseState = StoreState & {
  /** When the history of the database went back last, as far as this portal has seen. Undefined if it never did. */
  readonly rewoundAt: number | undefined;
};

/**
 * Where a portal keeps what must outlive it: a SQLite file, or PostgreSQL. Each statement ends within 5 seconds. A
 * transaction has several, and is tried up to 6 times. Calls reject with a `StoreAwayError` while the database is away.
 */
export type Database = {
  /** True if other portals may use the same database. */
  readonly isShared: boolean;
  /** The brand of this portal. Several brands may share a database. */
  readonly brand: string;
  /** Runs one query. It never waits for a transaction. */
  readonly read: Query;
  /** Runs one statement as a transaction of its own, in one round trip. */
  readonly change: Change;
  /**
   * Runs the work in one serializable transaction, so that all of it is kept, or nothing. If another transaction gets in the way,
   * the work runs again: it must have no other effects.
   */
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  /** Does the same, and then overwrites what the work has deleted. PostgreSQL does so by itself, when it needs the room. */
  readonly erase: Database['transaction'];
  /** Gives the room of what was removed back to the disk, in short steps. PostgreSQL does so by itself. */
  readonly shrink: () => Promise<void>;
  /**
   * Calls back at the start, and after each change of a topic, of this portal or another one: within a second, or as soon as the
   * database is back. A call that fails is made again. The returned function stops that.
   */
  readonly watch: (topic: string, follow: (news: News) => Promise<void>) => () => void;
  /**
   * Finds out whether this portal leads: the one portal that leads sends messages, for example. Returns the number of its term, which
   * each write of a leader must check with `requireTerm`. Undefined while another portal leads.
   */
  readonly lead: () => Promise<number | undefined>;
  /** Whether the database answers. It is asked once a second, as soon as something is watched. */
  readonly state: () => DatabaseState;
  readonly close: () => Promise<void>;
};

/** A lock that one portal holds. It is lost with the connection. */
export type Hold = { readonly isHeld: () => boolean };

/** A transaction of an engine. Engines know no topics, so it cannot announce. */
export type EngineTransaction = Omit<Transaction, 'announce' | 'lock'>;

/** A database before its tables are made. It knows nothing of brands and topics. */
export type Engine = {
  /** What the messages to the operator call the database: a file, or a host with the name of a database. Never a password. */
  readonly name: string;
  readonly isShared: boolean;
  /** Rejects if this database can never be used: it is too old, for example. */
  readonly check: () => Promise<void>;
  readonly read: Query;
  readonly change: Change;
  readonly transaction: <T>(work: (transaction: EngineTransaction) => Promise<T>) => Promise<T>;
  readonly erase: Engine['transaction'];
  readonly shrink: () => Promise<void>;
  /** Runs the work in one transaction, after those of others that were run in this way, so that it sees what they did. */
  readonly transactAlone: Engine['transaction'];
  /** Runs one query on the connection that hears of changes, so that its answer says that this connection is alive. */
  readonly ask: Query;
  /** Told each time that another portal announces something. */
  readonly onNotice: (hear: () => void) => void;
  readonly hold: (key: string) => Promise<Hold | undefined>;
  readonly words: EngineWords;
  readonly close: () => Promise<void>;
};

/** What the two engines say in different words. */
export type EngineWords = {
  /** The time of the database's clock, in ms. */
  readonly now: string;
  /** Differs after the database was replaced by another one, such as a standby. */
  readonly generation: string;
  /** Notes a change of the topic `$2` of the brand `$1` under the tag `$3`, and tells those who listen. */
  readonly announce: string;
  /** Keeps all others from a table until the transaction is over. */
  readonly lock: (table: string) => string;
};

/** The database does not answer, or takes no change. It may be back later. */
export class StoreAwayError extends Error {
  override readonly name: string = 'StoreAwayError';
  readonly code: StoreCode = 'store-away';
}

/** The disk of the database is full. Nothing was changed. */
export class StoreFullError extends StoreAwayError {
  override readonly name = 'StoreFullError';
  override readonly code = 'store-full';
}

/**
 * True if the database cannot be used. A transaction has changed nothing. A single `change` whose answer was lost may have been
 * made.
 */
export function isAway(error: unknown): boolean {
  return error instanceof StoreAwayError || error instanceof StoreFaultError;
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

/** Whether the database is to blame, and not what it was asked to do. */
export function isStoreError(error: unknown): boolean {
  return [StoreAwayError, StoreFaultError, UncertainCommitError].some((kind) => error instanceof kind);
}

/** Another portal leads by now. Nothing was changed. */
export class DeposedError extends Error {
  override readonly name = 'DeposedError';
  readonly code = 'store-deposed';
}

/** Another transaction got in the way. `retryConflicts` runs the work again. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly code = 'store-conflict';
}

/** Each statement ends within this time. */
export const CALL_LIMIT_MS = 5_000;
/** How many calls may wait for one connection. */
export const MAX_WAITING_CALLS = 1_000;
