import {
  type MetSums,
  NO_UPTIME,
  type PastIncident,
  type UptimePoint,
  type UptimeSums,
} from '../../contract/uptime.ts';
import { DAY_HOURS, DAY_MINUTES, DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';
import { queueMessage } from '../incidents/create-incident-store.ts';
import type { Outgoing } from '../messages/message.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import { requireTerm } from '../store/create-lead.ts';
import type { Change, Database, Query, Row, Value } from '../store/database.ts';
import { deleteRows, insertRows } from '../store/many-rows.ts';

/** What was seen in a minute, by the host of a line. */
export type SeenMinute = {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly sums: ReadonlyMap<string, UptimeSums>;
};

export type IncidentChanges = {
  readonly kept: readonly PastIncident[];
  readonly removed: readonly string[];
};

export type Mark = { readonly name: string; readonly value: number };

export type UptimeQuestion = {
  readonly by: 'hour' | 'day';
  /** Both are included, and numbered since 1970, in UTC. */
  readonly first: number;
  readonly last: number;
};

export type StretchSums = MetSums & { readonly line: string; readonly stretch: number };

/** The history in the database, the same for all portals. Everything rejects while the database is away. */
export type UptimeStore = {
  /** Adds minutes. Each counts once: a minute that is not newer than the last one is left out. */
  readonly write: (minutes: readonly SeenMinute[], term: number) => Promise<void>;
  /** Keeps what incidents are now, and removes those that turned out to be part of others. */
  readonly writeIncidents: (changes: IncidentChanges, term: number) => Promise<void>;
  /** Whether a report was told before. */
  readonly isTold: (mark: Mark) => Promise<boolean>;
  /** Lets a report wait for its channel, and notes how far it tells. Returns false if that was told before. */
  readonly queueReport: (report: Outgoing, mark: Mark, term: number) => Promise<boolean>;
  /** The last minute that was written. */
  readonly readLast: () => Promise<number>;
  /** What is known of each line in a period, added up. */
  readonly readSums: (question: UptimeQuestion) => Promise<ReadonlyMap<string, UptimeSums>>;
  /** What visitors met of each line, for each stretch of `days` days. The stretches are numbered from 0. */
  readonly readStretches: (
    period: Pick<UptimeQuestion, 'first' | 'last'> & { readonly days: number },
  ) => Promise<readonly StretchSums[]>;
  /** What is known of one line, hour by hour, or day by day. */
  readonly readPoints: (question: UptimeQuestion, line: string) => Promise<readonly UptimePoint[]>;
  /** The same of all lines. */
  readonly readTable: (
    question: UptimeQuestion,
  ) => Promise<readonly (UptimePoint & { readonly line: string })[]>;
  /** The incidents that lasted or began after this time, the newest first. */
  readonly readIncidents: (since: number) => Promise<readonly PastIncident[]>;
  /** Removes days and incidents that are older than 400 days, and hours that are older than 40. */
  readonly removeOld: (now: number) => Promise<void>;
};

/** After this many days what is known by the hour is forgotten, and only the days are left. */
const HOURS_KEPT_DAYS = 40;
const KEPT_DAYS = 400;
const LAST_MINUTE = 'minute';
/** More than 40 incidents on each of 400 days are not listed. */
const MOST_INCIDENTS = 16_000;
/** Two months. A clock that was set back by less tells no report a second time. */
const MOST_AHEAD_MS = 62 * DAY_MS;

const COLUMNS = {
  served: 'served',
  leftOut: 'left_out',
  known: 'known',
  good: 'good',
  visits: 'visits',
  gotIn: 'got_in',
  probed: 'probed',
  probedUp: 'probed_up',
} as const satisfies Record<keyof UptimeSums, string>;
const NAMES = Object.keys(COLUMNS) as (keyof UptimeSums)[]; // It has exactly these keys.

type SumsRow = Row & Readonly<Record<(typeof COLUMNS)[keyof UptimeSums], number>>;

export function createUptimeStore({
  read,
  transaction,
  change,
}: Pick<Database, 'read' | 'transaction' | 'change'>): UptimeStore {
  return {
    write: (minutes, term) =>
      transaction(async (tx) => {
        await requireTerm(tx, term);
        const last = await readMark(tx.query, LAST_MINUTE);
        const newest = Math.max(0, ...minutes.map(({ minute }) => minute));
        // A last minute a day ahead is one of a wrong clock.
        const isLastWrong = last > newest + DAY_MINUTES;
        const added = minutes.filter(({ minute }) => isLastWrong || minute > last);
        if (added.length === 0) return;
        await addUp(tx.change, 'hour', groupBy(added, HOUR_MS));
        await addUp(tx.change, 'day', groupBy(added, DAY_MS));
        await writeMark(tx.change, { name: LAST_MINUTE, value: newest });
      }),
    writeIncidents: ({ kept, removed }, term) =>
      transaction(async (tx) => {
        await requireTerm(tx, term);
        await insertRows(tx.change, {
          table: 'past_incidents',
          columns: ['id', 'started_at', 'ended_at', 'content'],
          rows: kept.map(writeIncident),
          onConflict: `on conflict (brand, id) do update set started_at = excluded.started_at,
            ended_at = excluded.ended_at, content = excluded.content`,
        });
        await deleteRows(tx.change, { table: 'past_incidents', column: 'id', values: removed });
      }),
    isTold: (mark) => isTold(read, mark),
    queueReport: (report, mark, term) =>
      transaction(async (tx) => {
        await requireTerm(tx, term);
        if (await isTold(tx.query, mark)) return false;
        await writeMark(tx.change, mark);
        await queueMessage(tx, report);
        return true;
      }),
    readLast: () => readMark(read, LAST_MINUTE),
    readSums: async ({ by, first, last }) => {
      const sums = NAMES.map((name) => `sum(${COLUMNS[name]}) as ${COLUMNS[name]}`).join(', ');
      const rows = await read<SumsRow & { readonly line: string }>(
        `select line, ${sums} from uptime_${by}s where brand = $brand and ${by} >= $1 and ${by} <= $2 group by line`,
        [first, last],
      );
      return new Map(rows.map((row) => [row.line, readSums(row)]));
    },
    readStretches: ({ first, last, days }) =>
      read<StretchSums & Row>(
        `select line, cast((day - $1) / $3 as integer) as stretch, sum(served) as served, sum(left_out) as "leftOut",
           sum(known) as known, sum(good) as good
         from uptime_days where brand = $brand and day >= $1 and day <= $2
         group by line, stretch order by line, stretch`,
        [first, last, days],
      ),
    readPoints: (question, line) => readRows(read, question, line),
    readTable: (question) => readRows(read, question),
    readIncidents: async (since) => {
      const rows = await read<IncidentRow>(
        `select id, started_at, ended_at, content from past_incidents
         where brand = $brand and (ended_at is null or ended_at > $1) order by started_at desc, id limit $2`,
        [since, MOST_INCIDENTS],
      );
      return rows.map(readIncident);
    },
    removeOld: async (now) => {
      const today = Math.floor(now / DAY_MS);
      const oldestDay = today - KEPT_DAYS + 1;
      const oldestHour = (today - HOURS_KEPT_DAYS + 1) * DAY_HOURS;
      await change('delete from uptime_days where brand = $brand and day < $1', [oldestDay]);
      await change('delete from uptime_hours where brand = $brand and hour < $1', [oldestHour]);
      await change('delete from past_incidents where brand = $brand and ended_at < $1', [oldestDay * DAY_MS]);
    },
  };
}

/** What is known hour by hour, or day by day: of all lines, or of one. */
async function readRows(
  read: Query,
  { by, first, last }: UptimeQuestion,
  line?: string,
): Promise<readonly (UptimePoint & { readonly line: string })[]> {
  const filter = line === undefined ? '' : 'and line = $3';
  const values = line === undefined ? [] : [line];
  const rows = await read<SumsRow & { readonly start: number; readonly line: string }>(
    `select ${by} as start, line, ${Object.values(COLUMNS).join(', ')} from uptime_${by}s
     where brand = $brand and ${by} >= $1 and ${by} <= $2 ${filter} order by ${by}, line`,
    [first, last, ...values],
  );
  const lengthMs = by === 'hour' ? HOUR_MS : DAY_MS;
  return rows.map((row) => ({ at: row.start * lengthMs, line: row.line, sums: readSums(row) }));
}

async function readMark(query: Query, name: string): Promise<number> {
  const [row] = await query<{ value: number }>(
    'select value from uptime_marks where brand = $brand and name = $1',
    [name],
  );
  return row?.value ?? 0;
}

/** A mark of a time far ahead is one of a wrong clock: without this rule nothing would be told until then. */
async function isTold(query: Query, { name, value }: Mark): Promise<boolean> {
  const told = await readMark(query, name);
  return told >= value && told - value <= MOST_AHEAD_MS;
}

async function writeMark(change: Change, { name, value }: Mark): Promise<void> {
  await change(
    `insert into uptime_marks (brand, name, value) values ($brand, $1, $2)
     on conflict (brand, name) do update set value = excluded.value`,
    [name, value],
  );
}

type Sums = ReadonlyMap<string, UptimeSums>;

/** Adds minutes up by the hour or the day that they belong to. */
function groupBy(minutes: readonly SeenMinute[], lengthMs: number): ReadonlyMap<number, Sums> {
  const groups = new Map<number, Map<string, UptimeSums>>();
  for (const { minute, sums } of minutes) {
    const start = Math.floor((minute * MINUTE_MS) / lengthMs);
    const group = findOrAdd(groups, start, () => new Map());
    for (const [line, added] of sums) group.set(line, addSums(group.get(line) ?? NO_UPTIME, added));
  }
  return groups;
}

export function addSums(one: UptimeSums, other: UptimeSums): UptimeSums {
  return Object.fromEntries(NAMES.map((name) => [name, one[name] + other[name]])) as UptimeSums; // All names are there.
}

async function addUp(change: Change, by: 'hour' | 'day', groups: ReadonlyMap<number, Sums>): Promise<void> {
  const table = `uptime_${by}s`;
  await insertRows(change, {
    table,
    columns: [by, 'line', ...Object.values(COLUMNS)],
    rows: [...groups].flatMap(([start, lines]) =>
      [...lines].map(([line, sums]): readonly Value[] =>
        [start, line].concat(NAMES.map((name) => sums[name])),
      ),
    ),
    onConflict: `on conflict (brand, ${by}, line) do update set ${Object.values(COLUMNS)
      .map((column) => `${column} = ${table}.${column} + excluded.${column}`)
      .join(', ')}`,
  });
}

function readSums(row: SumsRow): UptimeSums {
  return Object.fromEntries(NAMES.map((name) => [name, row[COLUMNS[name]]])) as UptimeSums; // All names are there.
}

type IncidentRow = Row & {
  readonly id: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly content: string;
};

function writeIncident({ id, startedAt, endedAt, ...content }: PastIncident): readonly Value[] {
  return [id, startedAt, endedAt, JSON.stringify(content)];
}

function readIncident({ id, started_at: startedAt, ended_at: endedAt, content }: IncidentRow): PastIncident {
  // As `writeIncident` wrote it.
  const facts = JSON.parse(content) as Omit<PastIncident, 'id' | 'startedAt' | 'endedAt'>;
  return { ...facts, id, startedAt, endedAt };
}
