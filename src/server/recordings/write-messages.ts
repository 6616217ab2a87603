import {
  INTAKE_SESSION_BYTES,
  INTAKE_SESSION_MESSAGES,
  INTAKE_SESSION_VIEWS,
  SESSION_MAX_MS,
} from '../../contract/limits.ts';
import { combineMarks } from '../../contract/recordings.ts';
import type { Change, Database, Transaction } from '../store/database.ts';
import { insertRows, listPlaces } from '../store/many-rows.ts';
import type { DescribedRecord, VisitorFacts } from './describe-record.ts';
import {
  type SessionRow,
  type ViewRow,
  addToDay,
  nameSegments,
  readErased,
  readMarks,
  readSessions,
  readViews,
  writeSessions,
  writeViews,
} from './recording-rows.ts';

/** A message on its way to the database. */
export type WaitingMessage = WaitingSegment | WaitingRecord;

type Place = { readonly session: string; readonly view: string };
type Common = Place & {
  /** When it arrived. */
  readonly at: number;
  /** About what it takes in the database. */
  readonly bytes: number;
};
type WaitingSegment = Common & {
  /** When the last of its events happened, by the visitor's clock. */
  readonly endedAt: number;
  readonly number: number;
  readonly packed: Uint8Array;
};
type WaitingRecord = Common & {
  readonly revision: number;
  readonly visitor: VisitorFacts;
  readonly record: DescribedRecord;
};

export type WriteMessagesOptions = {
  /** A name of this process. */
  readonly writer: string;
  /** The day of sessions that begin. The table for its segments is there. */
  readonly today: string;
};

/** About what the row of a session takes: it counts, so that very many tiny sessions do not fill a disk. */
const SESSION_BYTES = 1_000;
const MAX_ENTERED = 100;

/** What the transaction knows, and changes. */
type Batch = {
  readonly sessions: Map<string, SessionRow>;
  readonly views: Map<string, ViewRow>;
  readonly segments: WaitingSegment[];
  /** The newest record of each view. */
  readonly records: Map<string, WaitingRecord>;
  /** The views that have changed. */
  readonly changed: Set<string>;
  /** The sessions and views of which nothing more is kept. */
  readonly closed: Set<string>;
};

/** Names a view. */
export function keyOf({ session, view }: Place): string {
  return `${session} ${view}`;
}

/**
 * Writes messages in one transaction. A message that is there already changes nothing. Returns the sessions and views of which nothing
 * more is kept: they were erased, or have sent more than any page does.
 */
export async function writeMessages(
  database: Pick<Database, 'transaction'>,
  messages: readonly WaitingMessage[],
  { writer, today }: WriteMessagesOptions,
): Promise<ReadonlySet<string>> {
  return database.transaction(async (tx) => {
    const batch = await readBatch(tx, messages);
    const before = new Map([...batch.sessions].map(([id, { bytes }]) => [id, bytes]));
    for (const message of messages) addMessage(batch, message, today);
    await insertSegments(tx, batch);
    await writeBatch(tx, batch);
    for (const sum of sumDays(batch, before)) await addToDay(tx.change, writer, sum);
    return batch.closed;
  });
}

async function readBatch(tx: Transaction, messages: readonly WaitingMessage[]): Promise<Batch> {
  const ids = [...new Set(messages.map(({ session }) => session))];
  const views = await readViews(tx, ids);
  return {
    sessions: new Map((await readSessions(tx, ids)).map((row) => [row.id, { ...row }])),
    views: new Map(views.map((row) => [keyOf({ session: row.session, view: row.id }), { ...row }])),
    segments: [],
    records: new Map(),
    changed: new Set(),
    closed: new Set(await readErased(tx, ids)),
  };
}

function addMessage(batch: Batch, message: WaitingMessage, today: string): void {
  const { session, at, bytes } = message;
  const key = keyOf(message);
  const row = batch.sessions.get(session) ?? createSession(session, at, today);
  const known = batch.views.get(key);
  if (batch.closed.has(session)) return;
  if ('revision' in message && message.revision <= (known?.revision ?? 0)) return;
  if (row.messages >= INTAKE_SESSION_MESSAGES || row.bytes >= INTAKE_SESSION_BYTES) {
    batch.closed.add(session);
    return;
  }
  if (known === undefined && countViews(batch, session) >= INTAKE_SESSION_VIEWS) {
    batch.closed.add(key);
    return;
  }
  const view = known ?? createViewRow(message);
  batch.sessions.set(session, row);
  batch.views.set(key, view);
  batch.changed.add(key);
  row.first_at = Math.min(row.first_at, at);
  row.last_at = Math.max(row.last_at, at);
  row.messages += 1;
  if ('revision' in message) {
    row.bytes += bytes - view.bytes;
    addRecord(row, view, message);
    batch.records.set(key, message);
  } else {
    row.bytes += bytes;
    row.segments += 1;
    // What is replayed belongs to what happened: a session lasts at least as long as its replay.
    row.happened_to = Math.max(row.happened_to ?? message.endedAt, message.endedAt);
    view.segments += 1;
    batch.segments.push(message);
  }
}

function addRecord(
  row: SessionRow,
  view: ViewRow,
  { record, visitor, revision, bytes }: WaitingRecord,
): void {
  const { sessionStartedAt, device, language, happened, marks } = record;
  // As the visitor's clock says, if that can be: a clock may be wrong by years, and a session lasts four hours at most.
  row.started_at ??= Math.min(Math.max(sessionStartedAt, row.first_at - SESSION_MAX_MS), row.first_at);
  row.happened_from = Math.min(row.happened_from ?? happened.from, happened.from);
  row.happened_to = Math.max(row.happened_to ?? happened.to, happened.to);
  // If two views are open, the record that arrives last decides.
  Object.assign(row, { device, language, ...visitor });
  Object.assign(view, {
    revision,
    bytes,
    is_error: Number(marks.error),
    has_failed: Number(marks.failed),
    has_reached: Number(marks.reached),
    is_slow: Number(marks.slow),
    seen: record.seen,
    stacks: record.stacks,
  } satisfies Partial<ViewRow>);
}

/** A segment that is there already is not inserted, and does not count again. */
async function insertSegments({ query }: Transaction, { segments, sessions, views }: Batch): Promise<void> {
  const dayOfSession = ({ session }: WaitingSegment): string => sessions.get(session)?.day ?? '';
  const inserted = new Set<string>();
  const insert: Change = async (sql, values) => {
    const rows = await query<{ session: string; view_id: string; number: number }>(sql, values);
    for (const { session, view_id: view, number } of rows)
      inserted.add(`${keyOf({ session, view })} ${number}`);
    return rows.length;
  };
  for (const day of new Set(segments.map(dayOfSession))) {
    await insertRows(insert, {
      table: nameSegments(day),
      columns: ['session', 'view_id', 'number', 'packed'],
      rows: segments
        .filter((segment) => dayOfSession(segment) === day)
        .map(({ session, view, number, packed }) => [session, view, number, packed]),
      onConflict:
        'on conflict (brand, session, view_id, number) do nothing returning session, view_id, number',
    });
  }
  for (const segment of segments) {
    const [row, view] = [sessions.get(segment.session), views.get(keyOf(segment))];
    // Of two equal segments in a batch, only one was inserted.
    if (inserted.delete(`${keyOf(segment)} ${segment.number}`) || !row || !view) continue;
    row.messages -= 1;
    row.bytes -= segment.bytes;
    row.segments -= 1;
    view.segments -= 1;
  }
}

async function writeBatch(tx: Transaction, { sessions, views, records, changed }: Batch): Promise<void> {
  const ids = new Set([...changed].flatMap((key) => views.get(key)?.session ?? []));
  const rows = [...ids].flatMap((id) => sessions.get(id) ?? []);
  for (const row of rows) {
    const own = [...views.values()].filter(({ session }) => session === row.id);
    const { error, stuck, slow } = combineMarks(own.map(readMarks));
    Object.assign(row, { is_error: Number(error), is_stuck: Number(stuck), is_slow: Number(slow) });
  }
  await writeSessions(tx, rows);
  await writeViews(
    tx,
    [...changed].flatMap((key) => views.get(key) ?? []),
  );
  await insertRows(tx.change, {
    table: 'recorded_errors',
    columns: ['session', 'view_id', 'number', 'at', 'message', 'place'],
    rows: [...records.values()].flatMap(listErrors),
    onConflict: 'on conflict (brand, session, view_id, number) do nothing',
  });
  await insertRows(tx.change, {
    table: 'recorded_lines',
    columns: ['host', 'session'],
    rows: await listEntered(tx, [...records.values()]),
    onConflict: 'on conflict (brand, host, session) do nothing',
  });
}

/** The lines that sessions have entered, at most 100 of each: a stranger can make up any number of them. */
async function listEntered(
  { query }: Transaction,
  records: readonly WaitingRecord[],
): Promise<readonly (readonly string[])[]> {
  const ids = [...new Set(records.map(({ session }) => session))];
  if (ids.length === 0) return [];
  const counts = await query<{ session: string; count: number }>(
    `select session, count(*) as count from recorded_lines
     where brand = $brand and session in (${listPlaces(ids)}) group by session`,
    ids,
  );
  const left = new Map(counts.map(({ session, count }) => [session, MAX_ENTERED - count]));
  return records.flatMap(({ session, record }) => {
    const room = left.get(session) ?? MAX_ENTERED;
    const hosts = record.hosts.slice(0, Math.max(0, room));
    left.set(session, room - hosts.length);
    return hosts.map((host) => [host, session]);
  });
}

function listErrors({ session, view, at, record }: WaitingRecord): readonly (readonly (string | number)[])[] {
  // A visitor's clock may be wrong by years.
  return record.errors.map((error, index) => [
    session,
    view,
    index,
    Math.min(error.at, at),
    error.message,
    error.place,
  ]);
}

function sumDays(
  { sessions, changed }: Batch,
  before: ReadonlyMap<string, number>,
): readonly { readonly day: string; readonly sessions: number; readonly bytes: number }[] {
  const rows = changed.size === 0 ? [] : [...sessions.values()];
  return [...new Set(rows.map(({ day }) => day))].map((day) => {
    const own = rows.filter((row) => row.day === day);
    return {
      day,
      sessions: own.filter(({ id }) => !before.has(id)).length,
      bytes: own.reduce((sum, { id, bytes }) => sum + bytes - (before.get(id) ?? 0), 0),
    };
  });
}

function createSession(id: string, at: number, day: string): SessionRow {
  const unknown = { device: null, language: null, country: null, network: null, browser: null };
  const unmarked = { is_error: 0, is_stuck: 0, is_slow: 0 };
  const empty = { messages: 0, bytes: SESSION_BYTES, segments: 0 };
  const untold = { started_at: null, happened_from: null, happened_to: null };
  return { id, day, first_at: at, last_at: at, ...empty, ...untold, ...unknown, ...unmarked };
}

function createViewRow({ session, view }: Place): ViewRow {
  const unmarked = { is_error: 0, has_failed: 0, has_reached: 0, is_slow: 0 };
  return { session, id: view, revision: 0, segments: 0, bytes: 0, ...unmarked, seen: null, stacks: null };
}

function countViews({ views }: Batch, session: string): number {
  let count = 0;
  for (const view of views.values()) if (view.session === session) count += 1;
  return count;
}
