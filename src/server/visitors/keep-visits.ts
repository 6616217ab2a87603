import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { HOUR_MS } from '../../contract/time-units.ts';
import { OTHER } from '../../contract/visitors.ts';
import { followState } from '../process/follow-state.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import type { Change, Database, Query, Row } from '../store/database.ts';
import { insertRows, listPlaces } from '../store/many-rows.ts';
import { noteBatch } from '../store/note-batch.ts';
import { CELLS, type Cells } from './cells.ts';
import { shareRun } from '../process/share-run.ts';

/** Counts what visitors do, and keeps it. Hours and days are numbered since 1970, in UTC. */
export type VisitKeeper = Required<Service> & {
  /** Adds to what is counted now. Never waits, never fails. */
  readonly count: (cells: Cells) => void;
  /** What all portals counted from the start of a day to the end of an hour, added up. */
  readonly readSums: (firstDay: number, lastHour: number) => Promise<Cells>;
  /** How often some cells were counted in each hour, or on each day. Both ends are included. */
  readonly readTimes: (question: TimesQuestion) => Promise<ReadonlyMap<number, Cells>>;
  /** Writes what was counted since the last time. Rejects while the database is away: it waits in memory then. */
  readonly write: () => Promise<void>;
  /** Removes what is older than 400 days. */
  readonly removeOld: () => Promise<void>;
};

export type TimesQuestion = {
  readonly by: 'hour' | 'day';
  readonly first: number;
  readonly last: number;
  readonly cells: readonly string[];
};

export type KeepVisitsOptions = {
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
const KEPT_DAYS = 400;
const DAY_HOURS = 24;
/** Visitors can make referrers up. */
const MAX_REFERRERS_PER_DAY = 200;
/** While the database is away: about two days of a site with visitors from everywhere. */
const MAX_WAITING_CELLS = 50_000;
const MAX_BATCH_CELLS = 1_000;

/** Adds up in memory, and writes the sums every 5 seconds. */
export function keepVisits({ database, log, now }: KeepVisitsOptions): VisitKeeper {
  const writer = randomUUID();
  const waiting = createWaitingCells();
  let sent: Batch | undefined;
  /** One run at a time. */
  const write = shareRun(writeBatches);
  const room = followState({
    now,
    onFail: () => log.error('visits are not counted: the database is away, and too many numbers wait'),
  });
  const currentHour = (): number => Math.floor(now() / HOUR_MS);
  const removeOld = (): Promise<void> => removeVisits(database, dayOfHour(currentHour()) - KEPT_DAYS + 1);

  return {
    count: (cells) => {
      for (const [cell, times] of cells) if (!waiting.add(currentHour(), cell, times)) room.fail();
    },
    readSums: async (firstDay, lastHour) => {
      await write();
      return readSums(database.read, firstDay, lastHour);
    },
    readTimes: async (question) => {
      await write();
      return readTimes(database.read, question);
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
      await writeBatch({ ...sent, cells: await dropReferrers(sent) });
      sent = undefined;
      room.pass();
    }
  }

  /** Other portals have counted referrers of the same day: beyond 200 of all portals they are "other". */
  async function dropReferrers({ hour, cells }: Batch): Promise<Cells> {
    if (![...cells.keys()].some(isReferrer)) return cells;
    const day = dayOfHour(hour);
    const { kept, known } = boundReferrers(cells, await readReferrers(database.read, day));
    waiting.setReferrers(day, known);
    return kept;
  }

  async function writeBatch({ number, hour, cells }: Batch): Promise<void> {
    await database.transaction(async (tx) => {
      if (!(await noteBatch(tx, writer, number))) return;
      await addUp(tx.change, 'hour', hour, cells);
      await addUp(tx.change, 'day', dayOfHour(hour), cells);
    });
  }
}

/** Holds what was counted and is not in the database yet, by hour. */
function createWaitingCells() {
  const waiting = new Map<number, Map<string, number>>();
  /** Those of today. */
  let referrers = { day: 0, cells: new Set<string>() };
  let batches = 0;
  return {
    /** False if too many numbers wait. */
    add: (hour: number, cell: string, times: number): boolean => {
      const name = boundReferrer(dayOfHour(hour), cell);
      const cells = mapOf(waiting, hour);
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
    /** Takes over the referrers of a day that all portals have counted. */
    setReferrers: (day: number, cells: Set<string>): void => {
      if (referrers.day === day) referrers = { day, cells };
    },
  };

  function countWaiting(): number {
    let count = 0;
    for (const cells of waiting.values()) count += cells.size;
    return count;
  }

  function boundReferrer(today: number, cell: string): string {
    if (!isReferrer(cell)) return cell;
    if (referrers.day !== today) referrers = { day: today, cells: new Set() };
    const { cells } = referrers;
    if (!cells.has(cell) && cells.size >= MAX_REFERRERS_PER_DAY) return CELLS.referrer(OTHER);
    cells.add(cell);
    return cell;
  }
}

async function readSums(read: Query, firstDay: number, lastHour: number): Promise<Cells> {
  const lastDay = dayOfHour(lastHour);
  const rows = await read<Sum>(
    `select cell, sum(times) as times from (
       select cell, times from visit_days where brand = $brand and day >= $1 and day < $2
       union all
       select cell, times from visit_hours where brand = $brand and hour >= $3 and hour <= $4
     ) as counted group by cell`,
    [firstDay, lastDay, lastDay * DAY_HOURS, lastHour],
  );
  return new Map(rows.map(({ cell, times }) => [cell, times]));
}

async function readTimes(
  read: Query,
  { by, first, last, cells }: TimesQuestion,
): Promise<ReadonlyMap<number, Cells>> {
  const rows = await read<Sum & { readonly start: number }>(
    `select ${by} as start, cell, times from visit_${by}s where brand = $brand and ${by} >= $1 and ${by} <= $2
     and cell in (${listPlaces(cells, 3)})`,
    [first, last, ...cells],
  );
  const found = new Map<number, Map<string, number>>();
  for (const { start, cell, times } of rows) mapOf(found, start).set(cell, times);
  return found;
}

async function readReferrers(read: Query, day: number): Promise<Set<string>> {
  const rows = await read<Sum>(
    'select cell from visit_days where brand = $brand and day = $1 and cell like $2',
    [day, `${CELLS.referrer('')}%`],
  );
  return new Set(rows.map(({ cell }) => cell));
}

/** Counts referrers as "other" if they are beyond the 200 of the day. Adds the kept ones to those that are known. */
function boundReferrers(
  cells: Cells,
  known: Set<string>,
): { readonly kept: Cells; readonly known: Set<string> } {
  const kept = new Map<string, number>();
  for (const [cell, times] of cells) {
    const isKept = !isReferrer(cell) || known.has(cell) || known.size < MAX_REFERRERS_PER_DAY;
    if (isKept && isReferrer(cell)) known.add(cell);
    const name = isKept ? cell : CELLS.referrer(OTHER);
    kept.set(name, (kept.get(name) ?? 0) + times);
  }
  return { kept, known };
}

type VisitTables = Pick<Database, 'read' | 'change'>;

async function removeVisits(tables: VisitTables, oldestDay: number): Promise<void> {
  await tables.change('delete from visit_days where brand = $brand and day < $1', [oldestDay]);
  await removeHours(tables, oldestDay * DAY_HOURS);
}

/** A day at a time: a portal that was off for months must not hold up others with one long statement. */
async function removeHours({ read, change }: VisitTables, oldest: number): Promise<void> {
  for (;;) {
    const [row] = await read<{ hour: number | null }>(
      'select min(hour) as hour from visit_hours where brand = $brand',
    );
    const hour = row?.hour ?? oldest;
    if (hour >= oldest) return;
    await change('delete from visit_hours where brand = $brand and hour < $1', [
      Math.min(hour + DAY_HOURS, oldest),
    ]);
  }
}

export function dayOfHour(hour: number): number {
  return Math.floor(hour / DAY_HOURS);
}

async function addUp(change: Change, by: 'hour' | 'day', start: number, cells: Cells): Promise<void> {
  // All portals write in the same order, so that none waits for another one that waits for it.
  const rows = [...cells].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await insertRows(change, {
    table: `visit_${by}s`,
    columns: [by, 'cell', 'times'],
    rows: rows.map(([cell, times]) => [start, cell, times]),
    onConflict: `on conflict (brand, ${by}, cell) do update set times = visit_${by}s.times + excluded.times`,
  });
}

function isReferrer(cell: string): boolean {
  return cell.startsWith(CELLS.referrer(''));
}

function mapOf(maps: Map<number, Map<string, number>>, key: number): Map<string, number> {
  let found = maps.get(key);
  if (found === undefined) maps.set(key, (found = new Map()));
  return found;
}
