/**
 * What was counted: rows of named whole numbers. Whole, because then they add up to the same in any order and on any
 * replica, and because Redis adds them up too.
 *
 * A row is a voter of an area (see `voters.ts`), or `TOTALS`. A field is a letter, which says what was counted, and the id of a line.
 */
export type Counts = Map<string, Map<string, number>>;
export type ReadonlyCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The row in which every line is counted for the operator, wherever its visitors come from. */
export const TOTALS = '*';
/** Stands in `TOTALS` for the site as a whole: hostname calls, reports, and visitors who got in. */
export const ALL_LINES = '*';

/** What is counted of a line in an area. */
export const AREA_FIELDS = { reached: 'o', failedTenths: 'f', lnMsThousandths: 'l', lost: 'x' } as const;
/** What is counted of a line in `TOTALS`; a probe that was left open is no try. Upper-case letters are its times, see `time-buckets.ts`. */
export const TOTAL_FIELDS = {
  handedOut: 'h',
  /** Its part of the visits that were handed out, of which only so many of one prefix count: the load. */
  visitThousandths: 'v',
  tried: 't',
  reached: 'r',
  entered: 'e',
} as const;

export function addCount(counts: Counts, row: string, field: string, amount: number): void {
  let fields = counts.get(row);
  if (fields === undefined) counts.set(row, (fields = new Map()));
  fields.set(field, (fields.get(field) ?? 0) + amount);
}
