import { OTHER } from '../../contract/visitors.ts';
import { CELLS, type Cells, isCell } from './cells.ts';

/**
 * The counts of some days, by hour and by the process that counted them. A process only ever adds to its own counts, so of
 * two numbers for the same cell the larger one is the newer one. Whoever takes the larger one of what they have and what
 * they read, in any order and any number of times, ends with the right number. Nothing is lost, and nothing counts twice.
 */
export type VisitLedger = {
  /** Adds to this process's own counts. Never waits, never fails. */
  readonly add: (hour: number, cells: Cells) => void;
  /** Takes over a count that was read, if it is larger than the known one. */
  readonly merge: (count: SourceCount) => void;
  /** The counts of an hour by process. */
  readonly sources: (hour: number) => ReadonlyMap<string, Cells>;
  /** Forgets a day. */
  readonly drop: (day: number) => void;
};

/** What one process has counted of a cell in an hour. */
export type SourceCount = {
  readonly hour: number;
  readonly source: string;
  readonly cell: string;
  readonly count: number;
};

export type VisitLedgerOptions = {
  /** Draws a name that nobody else has. */
  readonly drawSource: () => string;
  /** Told of each count of this process that has grown. */
  readonly onAdd: (hour: number, source: string, cell: string) => void;
  /** Told of each hour that has changed. */
  readonly onChange: (hour: number) => void;
  readonly maxReferrersPerDay?: number;
};

const HOURS_PER_DAY = 24;
/** Visitors can make referrers up. */
const MAX_REFERRERS_PER_DAY = 200;

export function dayOfHour(hour: number): number {
  return Math.floor(hour / HOURS_PER_DAY);
}

/** The hours of a day. Hours and days are numbered since 1970, in UTC. */
export function hoursOf(day: number): readonly number[] {
  return Array.from({ length: HOURS_PER_DAY }, (_, index) => day * HOURS_PER_DAY + index);
}

export function createVisitLedger({
  drawSource,
  onAdd,
  onChange,
  maxReferrersPerDay = MAX_REFERRERS_PER_DAY,
}: VisitLedgerOptions): VisitLedger {
  const hours = new Map<number, Map<string, Map<string, number>>>();
  const referrers = new Map<number, Set<string>>();
  let own = drawSource();

  return {
    add: (hour, cells) => {
      for (const [cell, times] of cells) {
        const bounded = boundReferrer(hour, cell);
        put({ hour, source: own, cell: bounded, count: find(hour, own, bounded) + times });
        onAdd(hour, own, bounded);
      }
    },
    merge: (read) => {
      const { hour, source, cell, count } = read;
      if (isCell(cell) && Number.isSafeInteger(count) && count > find(hour, source, cell)) put(read);
    },
    sources: (hour) => hours.get(hour) ?? new Map(),
    drop: (day) => {
      for (const hour of hoursOf(day)) hours.delete(hour);
      referrers.delete(day);
      // If the clock is set back to this day, its counts start from zero again. Under the old name they would be too small.
      own = drawSource();
    },
  };

  function find(hour: number, source: string, cell: string): number {
    return hours.get(hour)?.get(source)?.get(cell) ?? 0;
  }

  function put({ hour, source, cell, count }: SourceCount): void {
    let sources = hours.get(hour);
    if (sources === undefined) hours.set(hour, (sources = new Map()));
    let cells = sources.get(source);
    if (cells === undefined) sources.set(source, (cells = new Map()));
    cells.set(cell, count);
    if (cell.startsWith(CELLS.referrer(''))) referrersOf(hour).add(cell);
    onChange(hour);
  }

  function boundReferrer(hour: number, cell: string): string {
    if (!cell.startsWith(CELLS.referrer(''))) return cell;
    const known = referrersOf(hour);
    return known.has(cell) || known.size < maxReferrersPerDay ? cell : CELLS.referrer(OTHER);
  }

  function referrersOf(hour: number): Set<string> {
    const day = dayOfHour(hour);
    let known = referrers.get(day);
    if (known === undefined) referrers.set(day, (known = new Set()));
    return known;
  }
}

/** Adds up the counts of all processes. */
export function addUpSources(sources: ReadonlyMap<string, Cells>): Cells {
  const sums = new Map<string, number>();
  for (const cells of sources.values()) {
    for (const [cell, count] of cells) sums.set(cell, (sums.get(cell) ?? 0) + count);
  }
  return sums;
}
