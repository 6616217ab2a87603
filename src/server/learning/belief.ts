import { CELLS_PER_LINE, type EvidenceRow, ageRow, readTotals } from './evidence-row.ts';

/** What is believed of every line, from one point of view. */
export type Belief = {
  /** The part of the visitors who reach it. */
  readonly reach: Float64Array;
  /** The logarithm of the ms that it takes to answer. */
  readonly lnMs: Float64Array;
};

/** How many observations the wider view weighs against those of a row. */
const WIDER_WEIGHT = 8;
const REACH_AT_FIRST = 0.9;
const LN_MS_AT_FIRST = Math.log(150);

/** What is believed of lines before looking at each: all are alike, and take as long as the lines do on the whole. */
export function createFirstBelief({ cells }: EvidenceRow): Belief {
  const lines = cells.length / CELLS_PER_LINE;
  let times = 0;
  let sumLnMs = 0;
  for (let cell = 0; cell < cells.length; cell += CELLS_PER_LINE) {
    times += cells[cell + 2] ?? 0;
    sumLnMs += cells[cell + 3] ?? 0;
  }
  return {
    reach: new Float64Array(lines).fill(REACH_AT_FIRST),
    lnMs: new Float64Array(lines).fill(blendLnMs(sumLnMs, times, LN_MS_AT_FIRST)),
  };
}

/** What is believed after a closer look: the evidence of a row, with the wider view standing in where there is little. */
export function refineBelief(wider: Belief, row: EvidenceRow, at: number): Belief {
  const { cells } = row;
  const left = ageRow(row, at);
  const lines = wider.reach.length;
  const reach = new Float64Array(lines);
  const lnMs = new Float64Array(lines);
  for (let line = 0, cell = 0; line < lines; line += 1, cell += CELLS_PER_LINE) {
    const reached = (cells[cell] ?? 0) * left.reach;
    const failed = (cells[cell + 1] ?? 0) * left.reach;
    const times = (cells[cell + 2] ?? 0) * left.time;
    const sumLnMs = (cells[cell + 3] ?? 0) * left.time;
    reach[line] = blendReach(reached, failed, wider.reach[line] ?? 0);
    lnMs[line] = blendLnMs(sumLnMs, times, wider.lnMs[line] ?? 0);
  }
  return { reach, lnMs };
}

/** `refineBelief`, of one line. */
export function refineLine(
  wider: Belief,
  row: EvidenceRow,
  line: number,
  at: number,
): { readonly reach: number; readonly lnMs: number } {
  const { reached, failed, times, sumLnMs } = readTotals(row, line);
  const left = ageRow(row, at);
  return {
    reach: blendReach(reached * left.reach, failed * left.reach, wider.reach[line] ?? 0),
    lnMs: blendLnMs(sumLnMs * left.time, times * left.time, wider.lnMs[line] ?? 0),
  };
}

export function blendReach(reached: number, failed: number, wider: number): number {
  return (reached + WIDER_WEIGHT * wider) / (reached + failed + WIDER_WEIGHT);
}

export function blendLnMs(sumLnMs: number, times: number, wider: number): number {
  return (sumLnMs + WIDER_WEIGHT * wider) / (times + WIDER_WEIGHT);
}
