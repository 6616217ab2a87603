import { AREA_FIELDS, type ReadonlyCounts, TOTALS, TOTAL_FIELDS } from './counts.ts';
import type { Area } from './area.ts';
import type { CountsByLine, CountsByVoter, LineCounts } from './evidence-row.ts';
import { parseVoterRow } from './voters.ts';

const TENTHS = 10;
const THOUSANDTHS = 1_000;

/** What the voters of each area counted, in the order of their names. Lines that are not listed are left out. */
export function readAreaCounts(
  counts: ReadonlyCounts,
  lineIds: readonly string[],
): ReadonlyMap<Area, CountsByVoter> {
  const indexes = new Map(lineIds.map((id, index) => [id, index]));
  const rows = [...counts.keys()].filter((row) => row !== TOTALS).toSorted();
  const areas = new Map<Area, Map<number, CountsByLine>>();
  for (const row of rows) {
    const { area, voter } = parseVoterRow(row);
    let voters = areas.get(area);
    if (voters === undefined) areas.set(area, (voters = new Map()));
    voters.set(voter, readFields(counts.get(row) ?? new Map(), indexes));
  }
  return areas;
}

/** How many visits were handed to each line; one is shared out among the lines of its answer. */
export function readVisits(counts: ReadonlyCounts, lineIds: readonly string[]): Float64Array {
  const totals = counts.get(TOTALS);
  return Float64Array.from(
    lineIds,
    (id) => (totals?.get(TOTAL_FIELDS.visitThousandths + id) ?? 0) / THOUSANDTHS,
  );
}

function readFields(fields: ReadonlyMap<string, number>, indexes: ReadonlyMap<string, number>): CountsByLine {
  const byLine: CountsByLine = new Map();
  for (const [field, amount] of fields) {
    const line = indexes.get(field.slice(1));
    if (line === undefined) continue;
    const counted = findCounts(byLine, line);
    const kind = field.charAt(0);
    if (kind === AREA_FIELDS.reached) counted.reached = counted.times = amount;
    else if (kind === AREA_FIELDS.failedTenths) counted.failed = amount / TENTHS;
    else if (kind === AREA_FIELDS.lnMsThousandths) counted.sumLnMs = amount / THOUSANDTHS;
    else if (kind === AREA_FIELDS.lost) counted.lost = amount;
  }
  return byLine;
}

function findCounts(byLine: CountsByLine, line: number): LineCounts {
  let counted = byLine.get(line);
  if (counted === undefined) {
    byLine.set(line, (counted = { reached: 0, failed: 0, lost: 0, times: 0, sumLnMs: 0 }));
  }
  return counted;
}
