import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { DAY_HOURS, HOUR_MS } from '../../contract/time-units.ts';
import { addCount, sortByName } from '../learning/counts.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import { followState } from '../process/follow-state.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import type { Change, Database, Query, Row } from '../store/database.ts';
import { insertRows, listPlaces } from '../store/many-rows.ts';
import { noteBatch } from '../store/note-batch.ts';
import { type Cells, type Numbers, VISIT_NUMBERS } from './cells.ts';
import { shareRun } from '../process/share-run.ts';

/** Counts what visitors do, and keeps it. Hours and days are numbered since 1970, in UTC. */
export type VisitKeeper = Required<Service> & {
  /** Adds to what is counted now. Never waits, never fails. */
  readonly count: (cells: Cells) => void;
  /**
   * What all portals counted from the start of a day to the end of an hour, added up. With a pattern (SQL), only the cells that
   * fit it.
   */
  readonly readSums: (firstDay: number, lastHour: number, like?: string) => Promise<Cells>;
  /** How often cells were counted in each hour, or on each day: some, or all of them. Both ends are included. */
  readonly readTimes: (question: TimesQuestion) => Promise<ReadonlyMap<number, Cells>>;
  /** Writes what was counted since the last time. Rejects while the database is away: it waits in memory then. */
  readonly write: () => Promise<void>;
  /** Removes what is too old. */
  readonly removeOld: () => Promise<void>;
};

export type TimesQuestion = {
  readonly by: 'hour' | 'day';
  readonly first: number;
  readonly last: number;
  readonly cells?: readonly string[];
  /** Of the cells, as a pattern of SQL. */
  readonly like?: string;
};

export type KeepVisitsOptions = {
  /** What it counts, unless it is visits. */
  readonly numbers?: Numbers;
  readonly database: Pick<Database, 'read' | 'change' | 'transaction'>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly now: () => number;
};

/** What is written in one transaction. It is sent under the same number until the database has it. */
type Batch = { readonly number: number; readonly hour: number; readonly cells: Cells };

type Sum = Row & { readonly cell: string; readonly times: number };

/** A portal that is killed loses what it counted for this long at most, plus the time of a write. */
const WRITE_EVERY_MS = 5_000;
const REMOVE_EVERY_MS = HOUR_MS;
/** While the database is away: about two days of a site with visitors from everywhere. */
const MAX_WAITING_CELLS = 50_000;
const MAX_BATCH_CELLS = 1_000;

/** Adds up in memory, and writes the sums every 5 seconds. */
export function keepVisits({ database, log, now, numbers = VISIT_NUMBERS }: KeepVisitsOptions): VisitKeeper {
  const { table, findMadeUp } = numbers;
  const writer = randomUUID();
  const waiting = createWaitingCells(numbers);
  let sent: Batch | undefined;
  /** One run at a time. */
  const write = shareRun(writeBatches);
  const room = followState({
    now,
    onFail: () => log.error('visits are not counted: the database is away, and too many numbers wait'),
  });
  const currentHour = (): number => Math.floor(now() / HOUR_MS);
  const removeOld = (): Promise<void> =>
    removeVisits(database, table, dayOfHour(currentHour()) - numbers.keptDays + 1);

  return {
    count: (cells) => {
      for (const [cell, times] of cells) if (!waiting.add(currentHour(), cell, times)) room.fail();
    },
    readSums: async (firstDay, lastHour, like = '%') => {
      await write();
      return readSums(database.read, { table, firstDay, lastHour, like });
    },
    readTimes: async (question) => {
      await write();
      return readTimes(database.read, table, question);
    },
    write,
    removeOld,
    start: () =>
      stopAll(
        repeat(write, () => WRITE_EVERY_MS, { name: 'visits: write', log }),
        repeat(removeOld, () => REMOVE_EVERY_MS, { name: 'visits: remove old', log, firstPauseMs: 0 }),
      ),
    close: async () => {
      try {
        await write();
      } catch (error) {
        log.error({ err: error }, 'the last numbers of visits could not be written');
      }
    },
  };

  async function writeBatches(): Promise<void> {
    for (;;) {
      sent ??= waiting.take();
      if (sent === undefined) return;
      await writeBatch({ ...sent, cells: await boundNames(sent) });
      sent = undefined;
      room.pass();
    }
  }

  /** Bounds the names of a day over all portals: those beyond the bound are counted as "other". */
  async function boundNames({ hour, cells }: Batch): Promise<Cells> {
    if (![...cells.keys()].some(findMadeUp)) return cells;
    const day = dayOfHour(hour);
    const { kept, known } = boundCells(cells, await readNames(database.read, numbers, day), numbers);
    waiting.setNames(day, known);
    return kept;
  }

  async function writeBatch({ number, hour, cells }: Batch): Promise<void> {
    await database.transaction(async (tx) => {
      if (!(await noteBatch(tx, writer, number))) return;
      await addUp(tx.change, { table, by: 'hour', start: hour, cells });
      await addUp(tx.change, { table, by: 'day', start: dayOfHour(hour), cells });
    });
  }
}

/** Holds what was counted and is not in the database yet, by hour. */
function createWaitingCells({ findMadeUp, mostMadeUp, asOther }: Numbers) {
  const waiting = new Map<number, Map<string, number>>();
  /** Those of today that visitors could make up. */
  let madeUp = { day: 0, names: new Set<string>() };
  let batches = 0;
  return {
    /** False if too many numbers wait. */
    add: (hour: number, cell: string, times: number): boolean => {
      const name = boundName(dayOfHour(hour), cell);
      const cells = findOrAdd(waiting, hour, () => new Map());
      const known = cells.get(name);
      if (known === undefined && countWaiting() >= MAX_WAITING_CELLS) return false;
      cells.set(name, (known ?? 0) + times);
      return true;
    },
    take: (): Batch | undefined => {
      const [next] = waiting;
      if (next === undefined) return undefined;
      const [hour, cells] = next;
      const taken = new Map([...cells].slice(0, MAX_BATCH_CELLS));
      for (const cell of taken.keys()) cells.delete(cell);
      if (cells.size === 0) waiting.delete(hour);
      return { number: (batches += 1), hour, cells: taken };
    },
    /** Takes over the names of a day that all portals have counted. */
    setNames: (day: number, names: Set<string>): void => {
      if (madeUp.day === day) madeUp = { day, names };
    },
  };

  function countWaiting(): number {
    let count = 0;
    for (const cells of waiting.values()) count += cells.size;
    return count;
  }

  function boundName(today: number, cell: string): string {
    const name = findMadeUp(cell);
    if (name === undefined) return cell;
    if (madeUp.day !== today) madeUp = { day: today, names: new Set() };
    const { names } = madeUp;
    if (!names.has(name) && names.size >= mostMadeUp) return asOther(cell);
    names.add(name);
    return cell;
  }
}

type SumsQuestion = Pick<Numbers, 'table'> & {
  readonly firstDay: number;
  readonly lastHour: number;
  readonly like: string;
};

async function readSums(read: Query, { table, firstDay, lastHour, like }: SumsQuestion): Promise<Cells> {
  const lastDay = dayOfHour(lastHour);
  const rows = await read<Sum>(
    `select cell, sum(times) as times from (
       select cell, times from ${table}_days where brand = $brand and day >= $1 and day < $2 and cell like $5
       union all
       select cell, times from ${table}_hours where brand = $brand and hour >= $3 and hour <= $4 and cell like $5
     ) as counted group by cell`,
    [firstDay, lastDay, lastDay * DAY_HOURS, lastHour, like],
  );
  return new Map(rows.map(({ cell, times }) => [cell, times]));
}

async function readTimes(
  read: Query,
  table: Numbers['table'],
  { by, first, last, cells, like = '%' }: TimesQuestion,
): Promise<ReadonlyMap<number, Cells>> {
  const rows = await read<Sum & { readonly start: number }>(
    `select ${by} as start, cell, times from ${table}_${by}s where brand = $brand and ${by} >= $1 and ${by} <= $2
     and cell like $3 ${cells === undefined ? '' : `and cell in (${listPlaces(cells, 4)})`}`,
    [first, last, like, ...(cells ?? [])],
  );
  const found = new Map<number, Map<string, number>>();
  for (const { start, cell, times } of rows) findOrAdd(found, start, () => new Map()).set(cell, times);
  return found;
}

async function readNames(
  read: Query,
  { table, madeUpLike, findMadeUp }: Numbers,
  day: number,
): Promise<Set<string>> {
  const rows = await read<Sum>(
    `select cell from ${table}_days where brand = $brand and day = $1 and cell like $2`,
    [day, madeUpLike],
  );
  return new Set(rows.flatMap(({ cell }) => findMadeUp(cell) ?? []));
}

/** Counts names beyond the bound of the day as "other". Adds those that are kept to those that are known. */
function boundCells(
  cells: Cells,
  known: Set<string>,
  { findMadeUp, mostMadeUp, asOther }: Numbers,
): { readonly kept: Cells; readonly known: Set<string> } {
  const kept = new Map<string, number>();
  for (const [cell, times] of cells) {
    const name = findMadeUp(cell);
    const isKept = name === undefined || known.has(name) || known.size < mostMadeUp;
    if (isKept && name !== undefined) known.add(name);
    addCount(kept, isKept ? cell : asOther(cell), times);
  }
  return { kept, known };
}

type VisitTables = Pick<Database, 'read' | 'change'>;

async function removeVisits(tables: VisitTables, table: Numbers['table'], oldestDay: number): Promise<void> {
  await tables.change(`delete from ${table}_days where brand = $brand and day < $1`, [oldestDay]);
  await removeHours(tables, table, oldestDay * DAY_HOURS);
}

/** A day at a time: a portal that was off for months must not hold up others with one long statement. */
async function removeHours(
  { read, change }: VisitTables,
  table: Numbers['table'],
  oldest: number,
): Promise<void> {
  for (;;) {
    const [row] = await read<{ hour: number | null }>(
      `select min(hour) as hour from ${table}_hours where brand = $brand`,
    );
    const hour = row?.hour ?? oldest;
    if (hour >= oldest) return;
    await change(`delete from ${table}_hours where brand = $brand and hour < $1`, [
      Math.min(hour + DAY_HOURS, oldest),
    ]);
  }
}

export function dayOfHour(hour: number): number {
  return Math.floor(hour / DAY_HOURS);
}

type NewCells = Pick<Numbers, 'table'> & {
  readonly by: 'hour' | 'day';
  readonly start: number;
  readonly cells: Cells;
};

async function addUp(change: Change, { table, by, start, cells }: NewCells): Promise<void> {
  // All portals write in the same order, so that none waits for another one that waits for it.
  await insertRows(change, {
    table: `${table}_${by}s`,
    columns: [by, 'cell', 'times'],
    rows: sortByName(cells).map(([cell, times]) => [start, cell, times]),
    onConflict: `on conflict (brand, ${by}, cell) do update set times = ${table}_${by}s.times + excluded.times`,
  });
}
