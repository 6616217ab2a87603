import { type Belief, blendLnMs, blendReach } from './belief.ts';
import { lnEffectiveMs } from './effective-time.ts';
import { CELLS_PER_LINE, type EvidenceRow, ageRow } from './evidence-row.ts';

export type ShortlistSettings = {
  /** The lines that may be picked, by their index. */
  readonly candidates: readonly number[];
  readonly at: number;
  readonly loads: Float64Array;
  /** By how much a line may be worse than the third best, as a logarithm. */
  readonly margin: number;
};

/** Some lines, by their index, and the logarithm of the effective time of each. */
export type Shortlist = { readonly lines: readonly number[]; readonly costs: readonly number[] };

/**
 * Finds the lines that can be among the three best, with some luck: a dozen of 200. It is `refineBelief` and
 * `lnEffectiveMs` in one pass that works out no more of a line than it takes to rule it out, because the first pick of
 * an area after a fold has to wait for it.
 */
export function shortlistLines(wider: Belief, row: EvidenceRow, settings: ShortlistSettings): Shortlist {
  const { candidates, at, loads, margin } = settings;
  const { cells } = row;
  const left = ageRow(row, at);
  const best = [Infinity, Infinity, Infinity];
  const lines: number[] = [];
  const costs: number[] = [];
  let limit = Infinity;
  for (const line of candidates) {
    const cell = line * CELLS_PER_LINE;
    const load = loads[line] ?? 0;
    const times = (cells[cell + 2] ?? 0) * left.time;
    const sumLnMs = (cells[cell + 3] ?? 0) * left.time;
    const lnMs = blendLnMs(sumLnMs, times, wider.lnMs[line] ?? 0);
    // Those who do not reach it can only make it worse.
    if (lnMs + load > limit) continue;
    const reached = (cells[cell] ?? 0) * left.reach;
    const failed = (cells[cell + 1] ?? 0) * left.reach;
    const cost = lnEffectiveMs(lnMs, blendReach(reached, failed, wider.reach[line] ?? 0), load);
    if (cost > limit) continue;
    lines.push(line);
    costs.push(cost);
    limit = Math.min(limit, placeCost(best, cost) + margin);
  }
  // The limit was higher when the first ones came.
  return {
    lines: lines.filter((_, place) => (costs[place] ?? 0) <= limit),
    costs: costs.filter((cost) => cost <= limit),
  };
}

/** Puts a cost in its place among the smallest so far, and returns the largest of them. */
function placeCost(best: number[], cost: number): number {
  let place = best.length;
  for (; place > 0 && cost < (best[place - 1] ?? 0); place -= 1) best[place] = best[place - 1] ?? 0;
  best[place] = cost;
  best.pop();
  return best.at(-1) ?? cost;
}
