import { DAY_MS } from '../../contract/time-units.ts';
import type { Database, Row, Transaction } from '../store/database.ts';
import { listPlaces } from '../store/many-rows.ts';
import { type DaySum, addToDay, dayOf, hashSession, nameSegments } from './recording-rows.ts';

export type RemoveOptions = {
  /** To erase what somebody asked to erase, `transaction` is `Database.erase`. */
  readonly database: Pick<Database, 'read' | 'change' | 'transaction'>;
  /** A name of this process. */
  readonly writer: string;
  readonly now: () => number;
};

export type RecordingLimits = { readonly keepDays: number; readonly keepBytes: number };

/** What is too much is removed down to this part, so that the next message is not too much again. */
const KEPT_PART = 0.95;
/** In one transaction, which must not take long. */
const SESSIONS_AT_ONCE = 100;

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
  await removeDaysBefore(dayOf(oldest), options);
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

/** The rows of sessions some at a time, and the segments of the whole day at once, with their table. */
async function removeDay(day: string, { database, writer }: RemoveOptions): Promise<void> {
  let isDone = false;
  while (!isDone) {
    isDone = await database.transaction(async (tx) => {
      const ids = await listOldest(tx, day);
      if (ids.length === 0) await dropDay(tx, day);
      else await removeSessions(tx, ids, { writer, hasSegments: false });
      return ids.length === 0;
    });
  }
}

async function dropDay({ query, change }: Transaction, day: string): Promise<void> {
  await change('delete from recorded_days where brand = $brand and day = $1', [day]);
  const others = await query('select 1 as found from recorded_days where day = $1 limit 1', [day]);
  // Another brand may keep its recordings for longer.
  if (others.length > 0) await change(`delete from ${nameSegments(day)} where brand = $brand`);
  else await change(`drop table if exists ${nameSegments(day)}`);
}

/** Removes the oldest sessions of a day, until there are so many bytes less. */
async function removeOldest(day: string, bytes: number, { database, writer }: RemoveOptions): Promise<void> {
  let left = bytes;
  while (left > 0) {
    const removed = await database.transaction(async (tx) => {
      const ids = await listOldest(tx, day);
      return removeSessions(tx, ids, { writer, hasSegments: true, maxBytes: left });
    });
    if (removed === 0) return;
    left -= removed;
  }
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

/** Removes sessions, the oldest first. Returns how many bytes they had. */
async function removeSessions(
  { query, change }: Transaction,
  ids: readonly string[],
  { writer, hasSegments, maxBytes = Infinity }: RemoveSessionsOptions,
): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await query<{ id: string; day: string; bytes: number }>(
    `select id, day, bytes from recorded_sessions where brand = $brand and id in (${listPlaces(ids)}) order by first_at`,
    ids,
  );
  let sum = 0;
  const removed = rows.filter(({ bytes }) => {
    const isEnough = sum >= maxBytes;
    if (!isEnough) sum += bytes;
    return !isEnough;
  });
  if (removed.length === 0) return 0;
  const places = listPlaces(removed.map(({ id }) => id));
  const values = removed.map(({ id }) => id);
  for (const table of ['recorded_views', 'recorded_errors', 'recorded_lines'])
    await change(`delete from ${table} where brand = $brand and session in (${places})`, values);
  await change(`delete from recorded_sessions where brand = $brand and id in (${places})`, values);
  for (const day of new Set(removed.map((row) => row.day))) {
    if (hasSegments)
      await change(
        `delete from ${nameSegments(day)} where brand = $brand and session in (${places})`,
        values,
      );
    const own = removed.filter((row) => row.day === day);
    const bytes = own.reduce((total, row) => total + row.bytes, 0);
    await addToDay(change, writer, { day, sessions: -own.length, bytes: -bytes });
  }
  return sum;
}
