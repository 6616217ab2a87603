import { hash } from 'node:crypto';
import type { ViewMarks } from '../../contract/recordings.ts';
import type { Change, Database, Transaction } from '../store/database.ts';
import { insertRows, listPlaces } from '../store/many-rows.ts';

/** A session, as its table has it. What only a record tells is null before the first one. */
export type SessionRow = {
  readonly id: string;
  /** It belongs to the day on which its first message came, in UTC, such as 2026-11-16. */
  readonly day: string;
  first_at: number;
  last_at: number;
  messages: number;
  bytes: number;
  segments: number;
  started_at: number | null;
  happened_from: number | null;
  happened_to: number | null;
  device: string | null;
  language: string | null;
  country: string | null;
  network: string | null;
  browser: string | null;
  is_error: number;
  is_stuck: number;
  is_slow: number;
};

/** A view. `seen` and `stacks` are JSON: they are only written and shown. */
export type ViewRow = {
  readonly session: string;
  readonly id: string;
  revision: number;
  segments: number;
  /** Of its newest record. */
  bytes: number;
  is_error: number;
  has_failed: number;
  has_reached: number;
  is_slow: number;
  /** If null, the stored value stays. */
  seen: string | null;
  stacks: string | null;
};

/** How much more there is of a day. */
export type DaySum = { readonly day: string; readonly sessions: number; readonly bytes: number };

const SESSION_COLUMNS = [
  'id',
  'day',
  'first_at',
  'last_at',
  'messages',
  'bytes',
  'segments',
  'started_at',
  'happened_from',
  'happened_to',
  'device',
  'language',
  'country',
  'network',
  'browser',
  'is_error',
  'is_stuck',
  'is_slow',
] as const satisfies readonly (keyof SessionRow)[];
const VIEW_COLUMNS = [
  'session',
  'id',
  'revision',
  'segments',
  'bytes',
  'is_error',
  'has_failed',
  'has_reached',
  'is_slow',
  'seen',
  'stacks',
] as const satisfies readonly (keyof ViewRow)[];

/** The table with the segments of a day, so that all of them can be dropped at once. */
export function nameSegments(day: string): string {
  return `recorded_segments_${day.replaceAll('-', '')}`;
}

export async function createSegmentsTable({ change }: Pick<Database, 'change'>, day: string): Promise<void> {
  const sql = `create table if not exists ${nameSegments(day)} (
    brand text not null,
    session text not null,
    view_id text not null,
    number bigint not null,
    packed bytea not null,
    primary key (brand, session, view_id, number)
  )`;
  // Two portals that make it at the same moment get in each other's way on PostgreSQL. At the second try it is there.
  await change(sql).catch(() => change(sql));
}

/** All that is kept of the id of a session that was erased. */
export function hashSession(session: string): string {
  return hash('sha256', session, 'hex');
}

/** The ids among these that were erased. */
export async function readErased({ query }: Transaction, ids: readonly string[]): Promise<readonly string[]> {
  const hashes = new Map(ids.map((id) => [hashSession(id), id]));
  const rows = await query<{ hash: string }>(
    `select hash from erased_sessions where brand = $brand and hash in (${listPlaces(ids)})`,
    [...hashes.keys()],
  );
  return rows.flatMap(({ hash }) => hashes.get(hash) ?? []);
}

export async function readSessions(
  { query }: Transaction,
  ids: readonly string[],
): Promise<readonly SessionRow[]> {
  return query<SessionRow>(
    `select ${SESSION_COLUMNS.join(', ')} from recorded_sessions
     where brand = $brand and id in (${listPlaces(ids)})`,
    ids,
  );
}

/** The views of sessions, without what their records say. */
export async function readViews(
  { query }: Transaction,
  sessions: readonly string[],
): Promise<readonly ViewRow[]> {
  const columns = VIEW_COLUMNS.filter((column) => column !== 'seen' && column !== 'stacks');
  return query<ViewRow>(
    `select ${columns.join(', ')}, null as seen, null as stacks from recorded_views
     where brand = $brand and session in (${listPlaces(sessions)})`,
    sessions,
  );
}

export function readMarks({ is_error, has_failed, has_reached, is_slow }: ViewRow): ViewMarks {
  return {
    error: is_error === 1,
    failed: has_failed === 1,
    reached: has_reached === 1,
    slow: is_slow === 1,
  };
}

export async function writeSessions({ change }: Transaction, rows: readonly SessionRow[]): Promise<void> {
  const [, ...others] = SESSION_COLUMNS;
  await insertRows(change, {
    table: 'recorded_sessions',
    columns: SESSION_COLUMNS,
    rows: rows.map((row) => SESSION_COLUMNS.map((column) => row[column])),
    onConflict: `on conflict (brand, id) do update set ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  });
}

export async function writeViews({ change }: Transaction, rows: readonly ViewRow[]): Promise<void> {
  const [, , ...others] = VIEW_COLUMNS;
  const set = others.map((column) => `${column} = coalesce(excluded.${column}, recorded_views.${column})`);
  await insertRows(change, {
    table: 'recorded_views',
    columns: VIEW_COLUMNS,
    rows: rows.map((row) => VIEW_COLUMNS.map((column) => row[column])),
    onConflict: `on conflict (brand, session, id) do update set ${set.join(', ')}`,
  });
}

/** Adds to the sums of a day. Each process has a row of its own, so that no two get in each other's way. */
export async function addToDay(change: Change, writer: string, sum: DaySum): Promise<void> {
  await change(
    `insert into recorded_days (brand, day, writer, sessions, bytes, changes) values ($brand, $1, $2, $3, $4, 1)
     on conflict (brand, day, writer) do update set sessions = recorded_days.sessions + excluded.sessions,
       bytes = recorded_days.bytes + excluded.bytes, changes = recorded_days.changes + 1`,
    [sum.day, writer, sum.sessions, sum.bytes],
  );
}
