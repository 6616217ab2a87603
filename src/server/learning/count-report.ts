import type { MeasurementReport } from '../../contract/api/measurement-report.ts';
import { createVoterRow } from './voters.ts';
import { ALL_LINES, AREA_FIELDS, TOTALS, TOTAL_FIELDS } from './counts.ts';
import { bucketOf } from './time-buckets.ts';

/** No line answers a browser faster over the open internet: a shorter time is clipped, so that it buys nothing. */
const SHORTEST_MS = 20;
/** A probe that was still open when the visitor left has not failed, but the loser of every race is not healthy either. */
const OPEN_TENTHS = 3;
const FAILED_TENTHS = 10;
const THOUSANDTHS = 1_000;

export type CountedReport = Pick<MeasurementReport, 'results' | 'entered'> & {
  /** Where the visitor is. */
  readonly area: string;
  /** The /24 or /48 that the report comes from. */
  readonly prefix: string;
  /** The lines that the indexes of the report stand for. One that has left the site since is nobody's any more. */
  readonly lineIds: readonly string[];
};

/** Counts what one page reported, for the rule and for the operator. */
export function countReport(
  { area, prefix, lineIds, results, entered }: CountedReport,
  add: (row: string, field: string, amount: number) => void,
): void {
  const row = createVoterRow(area, prefix);
  for (const { index, outcome, time } of results) {
    const id = lineIds[index];
    if (id === undefined) continue;
    if (outcome === 'open') {
      add(row, AREA_FIELDS.failedTenths + id, OPEN_TENTHS);
      continue;
    }
    add(TOTALS, TOTAL_FIELDS.tried + id, 1);
    if (outcome !== 'valid') {
      add(row, AREA_FIELDS.failedTenths + id, FAILED_TENTHS);
      add(row, AREA_FIELDS.lost + id, 1);
      continue;
    }
    const timeMs = Math.max(SHORTEST_MS, time);
    add(row, AREA_FIELDS.reached + id, 1);
    add(row, AREA_FIELDS.lnMsThousandths + id, Math.round(Math.log(timeMs) * THOUSANDTHS));
    add(TOTALS, TOTAL_FIELDS.reached + id, 1);
    add(TOTALS, bucketOf(timeMs) + id, 1);
  }
  add(TOTALS, TOTAL_FIELDS.tried + ALL_LINES, 1);
  const id = entered === null ? undefined : lineIds[entered];
  if (id === undefined) return;
  add(TOTALS, TOTAL_FIELDS.entered + id, 1);
  add(TOTALS, TOTAL_FIELDS.reached + ALL_LINES, 1);
  const enteredResult = results.find(({ index, outcome }) => index === entered && outcome === 'valid');
  if (enteredResult) add(TOTALS, bucketOf(enteredResult.time) + ALL_LINES, 1);
}
