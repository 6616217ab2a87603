import { type View, findAging } from './view.ts';

/** The estimates of every line in one view. Both lists are in the order of the site's lines. */
export type Beliefs = {
  /** The part of the visitors who reach it. */
  readonly reach: readonly number[];
  /** The logarithm of the ms that it takes to answer. */
  readonly lnMs: readonly number[];
};

/** How many observations the wider view weighs against those of a closer one. */
const WIDER_WEIGHT = 8;
const REACH_AT_FIRST = 0.9;
const LN_MS_AT_FIRST = Math.log(150);

/** The estimates to start from: all lines are equal, and take as long as the average line. */
export function createFirstBeliefs(lineIds: readonly string[], everyone: View): Beliefs {
  let times = 0;
  let sumLnMs = 0;
  for (const lineId of lineIds) {
    const record = everyone.lines.get(lineId);
    times += record?.times ?? 0;
    sumLnMs += record?.sumLnMs ?? 0;
  }
  const lnMs = blendLnMs(sumLnMs, times, LN_MS_AT_FIRST);
  return { reach: lineIds.map(() => REACH_AT_FIRST), lnMs: lineIds.map(() => lnMs) };
}

/**
 * Corrects the estimates of a wider view with what a closer view saw. Lines that nobody has tried there keep the wider
 * estimate.
 */
export function refineBeliefs(
  wider: Beliefs,
  view: View,
  { lineIds, at }: { readonly lineIds: readonly string[]; readonly at: number },
): Beliefs {
  const left = findAging(view, at);
  const reach = [...wider.reach];
  const lnMs = [...wider.lnMs];
  for (let line = 0; line < lineIds.length; line += 1) {
    const record = view.lines.get(lineIds[line] ?? '');
    if (record === undefined) continue;
    const { reached, failed, times, sumLnMs } = record;
    reach[line] = blendReach(reached * left.reach, failed * left.reach, reach[line] ?? 0);
    lnMs[line] = blendLnMs(sumLnMs * left.time, times * left.time, lnMs[line] ?? 0);
  }
  return { reach, lnMs };
}

function blendReach(reached: number, failed: number, wider: number): number {
  return (reached + WIDER_WEIGHT * wider) / (reached + failed + WIDER_WEIGHT);
}

function blendLnMs(sumLnMs: number, times: number, wider: number): number {
  return (sumLnMs + WIDER_WEIGHT * wider) / (times + WIDER_WEIGHT);
}
