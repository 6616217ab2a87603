import { MAX_ROWS } from '../../contract/limits.ts';
import { GAUSS_LIMIT } from './gauss.ts';
import type { Shortlist } from './shortlist-lines.ts';

/** Lets lines that are about equally good take turns. */
const NOISE = 0.1;
/** A line that is worse than another by more than this is never luckier than it. */
export const LUCK_MARGIN = 2 * NOISE * GAUSS_LIMIT;

/** What visitors of one area are offered. */
export type Offer = {
  /** Every line that may be picked, by its index. */
  readonly candidates: readonly number[];
  /** Those that may be among the three best. */
  readonly shortlist: Shortlist;
};

export type PickDeps = { readonly random: () => number; readonly gauss: () => number };

/**
 * Picks four lines: the three of the shortest effective time, give or take some luck, and a wildcard, any of the others.
 * The wildcard is what notices that a line has become better.
 */
export function pickLines({ candidates, shortlist }: Offer, { random, gauss }: PickDeps): number[] {
  if (candidates.length <= MAX_ROWS) return [...candidates];
  const picked = findLuckiest(shortlist, gauss);
  return [...picked, drawOther(candidates, picked, random)];
}

/** The three of the smallest cost, smallest first. Each newcomer takes the third place, and moves up. */
function findLuckiest({ lines, costs }: Shortlist, gauss: () => number): number[] {
  let [first, second, third] = [-1, -1, -1];
  let [firstCost, secondCost, thirdCost] = [Infinity, Infinity, Infinity];
  for (let place = 0; place < lines.length; place += 1) {
    const cost = (costs[place] ?? 0) + NOISE * gauss();
    if (cost >= thirdCost) continue;
    third = lines[place] ?? -1;
    thirdCost = cost;
    if (thirdCost < secondCost) {
      [second, third] = [third, second];
      [secondCost, thirdCost] = [thirdCost, secondCost];
    }
    if (secondCost < firstCost) {
      [first, second] = [second, first];
      [firstCost, secondCost] = [secondCost, firstCost];
    }
  }
  return [first, second, third];
}

/** Draws one of the candidates that are not among the picked, each as likely as any other. */
function drawOther(candidates: readonly number[], picked: readonly number[], random: () => number): number {
  // As many candidates as were picked stand aside, at the end. Those of them that were not picked stand in for those of
  // the others that were.
  const aside = candidates.slice(-picked.length);
  const drawn = candidates[Math.floor(random() * (candidates.length - picked.length))] ?? 0;
  const taken = picked.filter((line) => !aside.includes(line)).indexOf(drawn);
  return aside.filter((line) => !picked.includes(line))[taken] ?? drawn;
}
