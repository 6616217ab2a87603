import { SESSION_MAX_MS } from '../../contract/limits.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import type { SeenError, SessionFilter, SessionSummary, ViewSummary } from '../../contract/recordings.ts';
import type { Device } from '../../contract/visitors.ts';
import type { Database, Row, Value } from '../store/database.ts';
import { listPlaces } from '../store/many-rows.ts';
import type { SeenView } from './describe-record.ts';
import { nameSegments } from './recording-rows.ts';

export type FoundSessions = {
  readonly sessions: readonly SessionSummary[];
  /** Undefined at the end of the list. */
  readonly next: string | undefined;
};

type ReadDatabase = Pick<Database, 'read'>;

type FoundSession = Row & {
  readonly id: string;
  readonly started_at: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly happened_from: number;
  readonly happened_to: number;
  readonly device: Device;
  readonly language: string;
  readonly country: string;
  readonly network: string;
  readonly bytes: number;
};

type FoundView = Row & {
  readonly session: string;
  readonly id: string;
  readonly segments: number;
  readonly seen: string;
  readonly stacks?: string;
};

const PAGE_SIZE = 50;
const EVENTS_AT_ONCE = 20;
const COLUMNS =
  'id, started_at, first_at, last_at, happened_from, happened_to, device, language, country, network, bytes';

/** The newest sessions that a filter lets through, after a place in the list. */
export async function findSessions(
  database: ReadDatabase,
  filter: SessionFilter,
  after: string | undefined,
): Promise<FoundSessions> {
  const { conditions, values } = writeConditions(filter, after);
  const rows = await database.read<FoundSession>(
    `select ${COLUMNS} from recorded_sessions where brand = $brand and ${conditions.join(' and ')}
     order by started_at desc, id desc limit ${PAGE_SIZE + 1}`,
    values,
  );
  const page = rows.slice(0, PAGE_SIZE);
  const last = rows.length > PAGE_SIZE ? page.at(-1) : undefined;
  const views = page.length === 0 ? [] : await readViews(database, page);
  return {
    sessions: page.map((row) => summarize(row, views)),
    next: last && `${last.started_at}-${last.id}`,
  };
}

/** One session, with the stacks of its errors. */
export async function findSession(database: ReadDatabase, id: string): Promise<SessionSummary | undefined> {
  const [row] = await database.read<FoundSession>(
    `select ${COLUMNS} from recorded_sessions where brand = $brand and id = $1 and started_at is not null`,
    [id],
  );
  return row && summarize(row, await readViews(database, [row], ', stacks'));
}

/** The packed segments of a view in order, some at a time. */
export async function* readSegments(
  database: ReadDatabase,
  session: string,
  view: string,
): AsyncGenerator<Uint8Array> {
  const [found] = await database.read<{ day: string }>(
    'select day from recorded_sessions where brand = $brand and id = $1 and segments > 0',
    [session],
  );
  if (found === undefined) return;
  for (let last = 0; ;) {
    const rows = await database.read<{ number: number; packed: Uint8Array }>(
      `select number, packed from ${nameSegments(found.day)}
       where brand = $brand and session = $1 and view_id = $2 and number > $3 order by number limit ${EVENTS_AT_ONCE}`,
      [session, view, last],
    );
    for (const { packed } of rows) yield packed;
    if (rows.length < EVENTS_AT_ONCE) return;
    last = rows.at(-1)?.number ?? last;
  }
}

function writeConditions(
  { day, line, error, stuck, slow, ...texts }: SessionFilter,
  after: string | undefined,
): { readonly conditions: readonly string[]; readonly values: readonly Value[] } {
  const values: Value[] = [];
  const put = (value: Value): string => `$${values.push(value)}`;
  // Sessions without a record have not started, as far as anybody knows.
  const conditions = ['started_at is not null'];
  if (after !== undefined) {
    const [startedAt, id = ''] = after.split('-');
    conditions.push(`(started_at, id) < (${put(Number(startedAt))}, ${put(id)})`);
  }
  if (day !== undefined) {
    const from = Date.parse(day);
    conditions.push(`started_at >= ${put(from)} and started_at < ${put(from + DAY_MS)}`);
  }
  if (line !== undefined) {
    conditions.push(
      `id in (select session from recorded_lines where brand = $brand and host = ${put(line)})`,
    );
  }
  for (const [name, text] of Object.entries(texts)) conditions.push(`${name} = ${put(text)}`);
  for (const [name, isWanted] of Object.entries({ error, stuck, slow })) {
    if (isWanted) conditions.push(`is_${name} = 1`);
  }
  return { conditions, values };
}

async function readViews(
  database: ReadDatabase,
  sessions: readonly FoundSession[],
  more = '',
): Promise<readonly FoundView[]> {
  const ids = sessions.map(({ id }) => id);
  return database.read<FoundView>(
    `select session, id, segments, seen${more} from recorded_views
     where brand = $brand and session in (${listPlaces(ids)}) and seen is not null`,
    ids,
  );
}

/** As the console shows it. */
function summarize(row: FoundSession, views: readonly FoundView[]): SessionSummary {
  const { id, started_at, device, language, country, network, bytes } = row;
  return {
    id,
    startedAt: started_at,
    lastedMs: measureDuration(row),
    device,
    language,
    country,
    network,
    views: views
      .filter(({ session }) => session === id)
      .map(summarizeView)
      .toSorted((one, other) => one.openedAt - other.openedAt),
    bytes,
  };
}

/**
 * How long a session lasted, as far as is known: until its last message, by the server's clock, or from the first to the last
 * thing that happened or is replayed, by the visitor's. The two clocks are never compared.
 */
function measureDuration({ first_at, last_at, happened_from, happened_to }: FoundSession): number {
  return Math.min(Math.max(last_at - first_at, happened_to - happened_from), SESSION_MAX_MS);
}

function summarizeView({ id, segments, seen, stacks }: FoundView): ViewSummary {
  const { segmentsMade, errors, ...view } = JSON.parse(seen) as SeenView; // We wrote it.
  const texts = JSON.parse(stacks ?? '[]') as readonly string[]; // As above.
  return {
    id,
    ...view,
    errors: errors.map((error, index) => addStack(error, texts[index])),
    segments: { kept: segments, made: Math.max(segments, segmentsMade) },
  };
}

/** The list has no stacks. */
function addStack(error: SeenError, stack: string | undefined): SeenError {
  return stack === undefined ? error : { ...error, stack };
}
