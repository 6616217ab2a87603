import { type Belief, blendLnMs, blendReach } from './belief.ts';
import { CELLS_PER_LINE, type EvidenceRow, ageRow } from './evidence-row.ts';

/** A line that every second visitor cannot reach counts as eight times as slow: a failed probe costs far more than time. */
const REACH_POWER = 3;
/** A line may have twice its part of the visitors; from 1.4 times on it looks slower, and steeply so. */
const SHARE_LIMIT = 2;
const SHARE_EASE = 0.7;
const LOAD_POWER = 12;

/**
 * What each line costs a visitor: the logarithm of its effective time, which is its time, lengthened by those who fail
 * and by its load. It is `refineBelief` and the score in one go, without the steps between, because the first pick of an
 * area after a fold has to wait for it.
 */
export function scoreLines(
  wider: Belief,
  row: EvidenceRow,
  { at, loads }: { readonly at: number; readonly loads: Float64Array },
): Float64Array {
  const { cells } = row;
  const left = ageRow(row, at);
  const costs = new Float64Array(loads.length);
  for (let line = 0, cell = 0; line < costs.length; line += 1, cell += CELLS_PER_LINE) {
    const reached = (cells[cell] ?? 0) * left.reach;
    const failed = (cells[cell + 1] ?? 0) * left.reach;
    const times = (cells[cell + 2] ?? 0) * left.time;
    const sumLnMs = (cells[cell + 3] ?? 0) * left.time;
    const reach = blendReach(reached, failed, wider.reach[line] ?? 0);
    const lnMs = blendLnMs(sumLnMs, times, wider.lnMs[line] ?? 0);
    costs[line] = lnMs - REACH_POWER * Math.log(reach) + (loads[line] ?? 0);
  }
  return costs;
}

/** What the load of each line adds to its cost: nothing, until it has more than its part of the visitors. */
export function scoreLoads(shares: Float64Array, weights: Float64Array): Float64Array {
  return shares.map((share, line) => {
    const eased = SHARE_EASE * SHARE_LIMIT * (weights[line] ?? 0);
    return LOAD_POWER * Math.log(Math.max(1, share / eased));
  });
}
