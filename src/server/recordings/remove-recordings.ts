import { DAY_MS } from '../../contract/time-units.ts';
import { writeDay } from '../../contract/write-day.ts';
import { type Database, type Query, type Row, StoreAwayError, type Transaction } from '../store/database.ts';
import { deleteRows, listPlaces } from '../store/many-rows.ts';
import { type DaySum, addToDay, createSegmentsTable, hashSession, nameSegments } from './recording-rows.ts';

export type RemoveOptions = {
  /** To erase what somebody asked to erase, `transaction` is `Database.erase`. */
  readonly database: Pick<Database, 'isShared' | 'read' | 'change' | 'transaction'>;
  /** A name of this process. */
  readonly writer: string;
  readonly now: () => number;
};

export type RecordingLimits = { readonly keepDays: number; readonly keepBytes: number };

/** Recordings are removed down to 95 % of the limit, so that the next message is not too much again. */
const KEPT_PART = 0.95;
/** Of one transaction, because each call must end within 5 s. */
const SESSIONS_AT_ONCE = 100;
const SEGMENTS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 10_000_000;
/** Portals may write to the day of today faster than it can be emptied. */
const MAX_DROPS = 20;

/** How much there is of each day, the oldest first. */
export async function readDays({ read }: Pick<Database, 'read'>): Promise<readonly (DaySum & Changes)[]> {
  return read<Row & DaySum & Changes>(
    `select day, sum(sessions) as sessions, sum(bytes) as bytes, sum(changes) as changes from recorded_days
     where brand = $brand group by day order by day`,
  );
}

type Changes = { readonly changes: number };

/** Erases a session on all portals, and remembers that: its page may be open, and send more. */
export async function eraseSession(session: string, { database, writer, now }: RemoveOptions): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.change(
      `insert into erased_sessions (brand, hash, at) values ($brand, $1, $2)
       on conflict (brand, hash) do update set at = excluded.at`,
      [hashSession(session), now()],
    );
    await removeSessions(tx, [session], { writer, hasSegments: true });
  });
}

/** Removes all sessions that began before a day. */
export async function removeDaysBefore(before: string, options: RemoveOptions): Promise<void> {
  for (const { day } of await readDays(options.database)) {
    if (day < before) await removeDay(day, options);
  }
}

/** Removes what is too old, and then the oldest of what is too much. */
export async function removeOld(limits: RecordingLimits, options: RemoveOptions): Promise<void> {
  const { database, now } = options;
  const oldest = now() - limits.keepDays * DAY_MS;
  await removeDaysBefore(writeDay(oldest), options);
  await database.change('delete from erased_sessions where brand = $brand and at < $1', [oldest]);
  const days = await readDays(database);
  let total = days.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= limits.keepBytes) return;
  const target = limits.keepBytes * KEPT_PART;
  for (const { day, bytes } of days) {
    if (total - bytes < target) return removeOldest(day, total - target, options);
    await removeDay(day, options);
    total -= bytes;
  }
}

/** Removes a day of this brand in many short steps. Other brands may keep theirs. */
async function removeDay(day: string, { database, writer }: RemoveOptions): Promise<void> {
  // It may be gone already, and then it could not be locked.
  await createSegmentsTable(database, day);
  for (let tries = 0; tries < MAX_DROPS; tries += 1) {
    await repeatInTransactions(database, async (tx) =>
      removeSessions(tx, await listOldest(tx, day), { writer, hasSegments: false }),
    );
    // PostgreSQL drops a table of any size at once. SQLite looks at each page of it.
    if (!database.isShared || !(await isAlone(database.read, day)))
      await repeatInTransactions(database, (tx) => removeSegments(tx, day));
    if (await database.transaction((tx) => dropDay(tx, day))) return;
  }
  throw new StoreAwayError(
    `the recordings of ${day} are not all gone, because portals go on writing to them: try again when the day is over`,
  );
}

/** Returns false if a portal has written to the day meanwhile. Nobody can write between the look and the drop. */
async function dropDay(tx: Transaction, day: string): Promise<boolean> {
  await tx.lock(nameSegments(day));
  if ((await listOldest(tx, day)).length > 0) return false;
  if (await isAlone(tx.query, day)) await tx.change(`drop table ${nameSegments(day)}`);
  else if ((await removeSegments(tx, day)) > 0) return false;
  await tx.change('delete from recorded_days where brand = $brand and day = $1', [day]);
  return true;
}

/** True if no other brand has segments of the day. */
async function isAlone(query: Query, day: string): Promise<boolean> {
  // Both are found in the index, also among many rows.
  const others = await query(
    `select brand from (
       select min(brand) as brand from ${nameSegments(day)} union select max(brand) from ${nameSegments(day)}
     ) as brands where brand <> $brand`,
  );
  return others.length === 0;
}

/** Removes some segments of a day. Returns how many. */
async function removeSegments({ query, change }: Transaction, day: string): Promise<number> {
  const rows = await query<{ session: string; view_id: string; number: number; bytes: number }>(
    `select session, view_id, number, octet_length(packed) as bytes from ${nameSegments(day)}
     where brand = $brand order by session, view_id, number limit ${SEGMENTS_AT_ONCE}`,
  );
  const last = takeBytes(rows, BYTES_AT_ONCE).at(-1);
  if (last === undefined) return 0;
  return change(
    `delete from ${nameSegments(day)} where brand = $brand and (session, view_id, number) <= ($1, $2, $3)`,
    [last.session, last.view_id, last.number],
  );
}

/** Removes the oldest sessions of a day, until they had this many bytes. */
async function removeOldest(day: string, bytes: number, { database, writer }: RemoveOptions): Promise<void> {
  let left = bytes;
  while (left > 0) {
    const removed = await database.transaction(async (tx) =>
      removeSessions(tx, await listOldest(tx, day), { writer, hasSegments: true, maxBytes: left }),
    );
    if (removed === 0) return;
    left -= removed;
  }
}

/** Repeats a step, each time in a transaction of its own, until it finds nothing to do. */
async function repeatInTransactions(
  { transaction }: Pick<Database, 'transaction'>,
  step: (tx: Transaction) => Promise<number>,
): Promise<void> {
  while ((await transaction(step)) > 0);
}

async function listOldest({ query }: Transaction, day: string): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    `select id from recorded_sessions where brand = $brand and day = $1 order by first_at limit ${SESSIONS_AT_ONCE}`,
    [day],
  );
  return rows.map(({ id }) => id);
}

type RemoveSessionsOptions = {
  readonly writer: string;
  /** False if the table with their segments is dropped. */
  readonly hasSegments: boolean;
  /** Enough are removed when they had this many bytes. */
  readonly maxBytes?: number;
};

/** Removes sessions, the oldest first, up to about 10 MB. Returns how many bytes they had. */
async function removeSessions(
  { query, change }: Transaction,
  ids: readonly string[],
  { writer, hasSegments, maxBytes = BYTES_AT_ONCE }: RemoveSessionsOptions,
): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await query<{ id: string; day: string; bytes: number }>(
    `select id, day, bytes from recorded_sessions where brand = $brand and id in (${listPlaces(ids)}) order by first_at`,
    ids,
  );
  const removed = takeBytes(rows, Math.min(maxBytes, BYTES_AT_ONCE));
  if (removed.length === 0) return 0;
  const values = removed.map(({ id }) => id);
  for (const table of ['recorded_views', 'recorded_errors', 'recorded_lines'])
    await deleteRows(change, { table, column: 'session', values });
  await deleteRows(change, { table: 'recorded_sessions', column: 'id', values });
  for (const day of new Set(removed.map((row) => row.day))) {
    if (hasSegments) await deleteRows(change, { table: nameSegments(day), column: 'session', values });
    const own = removed.filter((row) => row.day === day);
    await addToDay(change, writer, { day, sessions: -own.length, bytes: -sumBytes(own) });
  }
  return sumBytes(removed);
}

/** The first rows, until they have this many bytes. */
function takeBytes<R extends Sized>(rows: readonly R[], maxBytes: number): readonly R[] {
  let sum = 0;
  return rows.filter(({ bytes }) => {
    const isEnough = sum >= maxBytes;
    sum += bytes;
    return !isEnough;
  });
}

type Sized = { readonly bytes: number };

function sumBytes(rows: readonly Sized[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}
