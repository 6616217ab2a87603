import { AREA_FIELDS, type ReadonlyCounts, TOTALS, TOTAL_FIELDS } from '../measurements/counts.ts';
import type { Area } from './area.ts';
import type { LineCounts } from './evidence-row.ts';

/** What was counted of each line, by its index. */
export type CountsByLine = Map<number, LineCounts>;

const TENTHS = 10;
const THOUSANDTHS = 1_000;

/** The counts of each area, in the order of their names. Lines that are not listed are left out. */
export function readAreaCounts(
  counts: ReadonlyCounts,
  lineIds: readonly string[],
): ReadonlyMap<Area, CountsByLine> {
  const indexes = new Map(lineIds.map((id, index) => [id, index]));
  const areas = [...counts.keys()].filter((row) => row !== TOTALS).toSorted();
  return new Map(areas.map((area) => [area, readFields(counts.get(area) ?? new Map(), indexes)]));
}

/** How many visitors entered each line. */
export function readEntries(counts: ReadonlyCounts, lineIds: readonly string[]): Float64Array {
  const totals = counts.get(TOTALS);
  return Float64Array.from(lineIds, (id) => totals?.get(TOTAL_FIELDS.entered + id) ?? 0);
}

/** Adds the second to the first, and returns it. */
export function mergeCounts(sum: CountsByLine, added: CountsByLine): CountsByLine {
  for (const [line, { reached, failed, sumLnMs, lost }] of added) {
    const counted = findCounts(sum, line);
    counted.reached += reached;
    counted.failed += failed;
    counted.sumLnMs += sumLnMs;
    counted.lost += lost;
  }
  return sum;
}

function readFields(fields: ReadonlyMap<string, number>, indexes: ReadonlyMap<string, number>): CountsByLine {
  const byLine: CountsByLine = new Map();
  for (const [field, amount] of fields) {
    const line = indexes.get(field.slice(1));
    if (line === undefined) continue;
    const counted = findCounts(byLine, line);
    const kind = field.charAt(0);
    if (kind === AREA_FIELDS.reached) counted.reached = amount;
    else if (kind === AREA_FIELDS.failedTenths) counted.failed = amount / TENTHS;
    else if (kind === AREA_FIELDS.lnMsThousandths) counted.sumLnMs = amount / THOUSANDTHS;
    else if (kind === AREA_FIELDS.lost) counted.lost = amount;
  }
  return byLine;
}

function findCounts(byLine: CountsByLine, line: number): LineCounts {
  let counted = byLine.get(line);
  if (counted === undefined) byLine.set(line, (counted = { reached: 0, failed: 0, sumLnMs: 0, lost: 0 }));
  return counted;
}
