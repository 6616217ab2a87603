import type { Observation } from '../../learning/counts.ts';
import { type LineRecord, type View, age, findAging } from '../../learning/view.ts';

/** What the visitors of one area have seen of a line. Old tries fade, so that the counts are not whole. */
export type Cell = Observation & Pick<LineRecord, 'failingSince'>;

/** If less than this is left of the tries, they are not shown. */
const MIN_TRIES = 0.5;
/** The geometric mean of fewer times than this, all faded, is noise. */
const MIN_TIMES = 0.5;

/** Reads what a view knows of a line; undefined where that is nothing, or too long ago. */
export function readCell(view: View, lineId: string, at: number): Cell | undefined {
  const record = view.lines.get(lineId);
  if (record === undefined) return undefined;
  const seen = age(record, findAging(view, at));
  if (seen.reached + seen.lost < MIN_TRIES) return undefined;
  return { ...seen, failingSince: seen.lost > seen.reached ? record.failingSince : undefined };
}

/** The geometric mean of the times of a cell, in whole ms; null where too few are known. */
export function findMeanMs({ times, sumLnMs }: Cell): number | null {
  return times < MIN_TIMES ? null : Math.round(Math.exp(sumLnMs / times));
}

/** Rounds to one digit: faded counts need no more, and JSON is shorter for it. */
export function roundTenths(value: number): number {
  return Math.round(value * 10) / 10;
}
