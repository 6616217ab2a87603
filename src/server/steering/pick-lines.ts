import { MAX_ROWS } from '../../contract/limits.ts';
import { GAUSS_LIMIT } from './gauss.ts';

/** Lets lines that are about equally good take turns. */
const NOISE = 0.1;
const BEST = MAX_ROWS - 1;

/** Lines, by their index, and what each costs: the logarithm of its effective time. */
export type Offer = {
  readonly candidates: readonly number[];
  /** The candidates that are good enough to be among the best three with some luck. */
  readonly shortlist: readonly number[];
  readonly costs: Float64Array;
};

export type PickDeps = { readonly random: () => number; readonly gauss: () => number };

/** Prepares picks: of 200 lines a dozen can ever be among the best three, and only those are looked at each time. */
export function createOffer(candidates: readonly number[], costs: Float64Array): Offer {
  const best = findBest(candidates, (line) => costs[line] ?? 0);
  const limit = (costs[best.at(-1) ?? 0] ?? 0) + 2 * NOISE * GAUSS_LIMIT;
  return { candidates, costs, shortlist: candidates.filter((line) => (costs[line] ?? 0) <= limit) };
}

/**
 * Picks four lines: the three that cost least, give or take some luck, and a wildcard, any of the others. The wildcard
 * is what notices that a line has become better.
 */
export function pickLines({ candidates, shortlist, costs }: Offer, { random, gauss }: PickDeps): number[] {
  if (candidates.length <= MAX_ROWS) return [...candidates];
  const picked = findBest(shortlist, (line) => (costs[line] ?? 0) + NOISE * gauss());
  return [...picked, drawOther(candidates, picked, random)];
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

/** The three lines of the smallest cost, smallest first. Each cost is asked for once. */
function findBest(lines: readonly number[], costOf: (line: number) => number): number[] {
  const best: number[] = [];
  const costs: number[] = [];
  for (const line of lines) {
    const cost = costOf(line);
    if (best.length === BEST && cost >= (costs[BEST - 1] ?? 0)) continue;
    let place = Math.min(best.length, BEST - 1);
    for (; place > 0 && cost < (costs[place - 1] ?? 0); place -= 1) {
      best[place] = best[place - 1] ?? 0;
      costs[place] = costs[place - 1] ?? 0;
    }
    best[place] = line;
    costs[place] = cost;
  }
  return best;
}
