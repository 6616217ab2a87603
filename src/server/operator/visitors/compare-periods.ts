import { DAY_HOURS, DAY_MS, HOUR_MS } from '../../../contract/time-units.ts';
import { type Compared, VISITOR_RANGES, type VisitorRange } from '../../../contract/visitors.ts';
import type { Cells } from '../../visitors/cells.ts';
import { type VisitKeeper, dayOfHour } from '../../visitors/keep-visits.ts';

export type VisitorSources = {
  readonly visits: Pick<VisitKeeper, 'readSums' | 'readTimes'>;
  readonly isOn: boolean;
  readonly now: number;
};

/** The numbers of a range beside those of the period before it. */
export type ComparedPeriods = {
  readonly from: number;
  readonly beforeFrom: number;
  readonly compare: (cell: string) => Compared;
  /** The names of the cells that begin with a prefix, without the prefix. */
  readonly findNames: (prefix: string) => readonly string[];
  /** How often each of some cells was counted in each hour of the period, or on each of its days. */
  readonly readTimes: (cells: readonly string[]) => Promise<ReadonlyMap<string, readonly number[]>>;
  /** The length of such a time, and when one begins. */
  readonly pointMs: number;
  readonly pointAt: (index: number) => number;
};

/** Longer periods are shown by day. */
const MAX_POINTS = 7 * DAY_HOURS;

/**
 * Reads the numbers of a range, up to the current hour. The period before it has the same number of days, and ends with the same
 * hour of the day, of which as much counts as has passed of the current one: 4 minutes are not compared with an hour.
 */
export async function comparePeriods(
  range: VisitorRange,
  { visits, now }: Pick<VisitorSources, 'visits' | 'now'>,
  /** Of the cells, as a pattern of SQL. */
  like = '%',
): Promise<ComparedPeriods> {
  const days = VISITOR_RANGES[range];
  const hour = Math.floor(now / HOUR_MS);
  const firstDay = dayOfHour(hour) - days + 1;
  const current = await visits.readSums(firstDay, hour, like);
  const lastHour = hour - days * DAY_HOURS;
  const whole = await visits.readSums(firstDay - days, lastHour, like);
  const hours = await visits.readTimes({ by: 'hour', first: lastHour, last: lastHour, like });
  const partToCome = 1 - (now % HOUR_MS) / HOUR_MS;
  const earlier = subtractPart(whole, hours.get(lastHour), partToCome);
  const isByDay = days * DAY_HOURS > MAX_POINTS;
  const [by, first, last, pointMs] = isByDay
    ? (['day', firstDay, dayOfHour(hour), DAY_MS] as const)
    : (['hour', firstDay * DAY_HOURS, hour, HOUR_MS] as const);
  return {
    from: firstDay * DAY_MS,
    beforeFrom: (firstDay - days) * DAY_MS,
    compare: (cell) => ({ now: current.get(cell) ?? 0, before: earlier.get(cell) ?? 0 }),
    findNames: (prefix) => findNames([current, earlier], prefix),
    readTimes: async (cells) => {
      const times = cells.length === 0 ? undefined : await visits.readTimes({ by, first, last, cells });
      const read = (cell: string): readonly number[] =>
        Array.from({ length: last - first + 1 }, (_, index) => times?.get(first + index)?.get(cell) ?? 0);
      return new Map(cells.map((cell) => [cell, read(cell)]));
    },
    pointMs,
    pointAt: (index) => (first + index) * pointMs,
  };
}

/** Takes a part of some counts from others. What is 0 then was not counted. */
function subtractPart(cells: Cells, others: Cells = new Map(), part: number): Cells {
  const rest = [...cells].map(([cell, times]): [string, number] => [
    cell,
    times - Math.round((others.get(cell) ?? 0) * part),
  ]);
  return new Map(rest.filter(([, times]) => times > 0));
}

function findNames(sums: readonly Cells[], prefix: string): readonly string[] {
  const cells = new Set(sums.flatMap((cellsOfOne) => [...cellsOfOne.keys()]));
  return [...cells].filter((cell) => cell.startsWith(prefix)).map((cell) => cell.slice(prefix.length));
}
