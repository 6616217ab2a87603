import { MAX_ROWS } from '../../contract/limits.ts';
import { GAUSS_LIMIT } from './create-gauss.ts';

/** The number of best lines that are picked. The last one that is picked is the wildcard. */
const BEST = MAX_ROWS - 1;
/** Lets lines that are about equally good take turns. */
const NOISE = 0.1;
/** If a line is worse than another by more than this, luck never puts it first. */
const LUCK_MARGIN = 2 * NOISE * GAUSS_LIMIT;

/** A line, by its place in the site's list, and its score: the smaller, the better. */
export type ScoredLine = { readonly line: number; readonly score: number };

/** The lines that may be picked for visitors of one area. */
export type PickOffer = {
  /** Every line that may be picked, by its place in the site's list. */
  readonly candidates: readonly number[];
  /** Those of them that may be among the best, with some luck: a dozen of 200. */
  readonly shortlist: readonly ScoredLine[];
};

export type PickDeps = {
  readonly random: () => number;
  readonly gauss: () => number;
  /** Which line the visitor should try, because somebody has just failed to reach it. It returns no line that was picked. */
  readonly askDoubted?: ((picked: readonly number[]) => number | undefined) | undefined;
};

/** Leaves out the candidates that cannot be among the three best, however lucky they are. */
export function shortlistLines(
  candidates: readonly number[],
  scores: ArrayLike<number>,
): readonly ScoredLine[] {
  let [first, second, third] = [Infinity, Infinity, Infinity];
  for (const line of candidates) {
    const score = scores[line] ?? Infinity;
    if (score < first) [first, second, third] = [score, first, second];
    else if (score < second) [second, third] = [score, second];
    else if (score < third) third = score;
  }
  const limit = third + LUCK_MARGIN;
  const shortlist: ScoredLine[] = [];
  for (const line of candidates) {
    const score = scores[line] ?? Infinity;
    if (score <= limit) shortlist.push({ line, score });
  }
  return shortlist;
}

/**
 * Picks four lines: the three of the shortest effective time, give or take some luck, and a wildcard: a line that is in
 * doubt, or else any of the others. Through the wildcard the server notices that a line has become better or worse.
 */
export function pickLines(
  { candidates, shortlist }: PickOffer,
  { random, gauss, askDoubted }: PickDeps,
): number[] {
  if (candidates.length <= MAX_ROWS) return [...candidates];
  const picked = findLuckiest(shortlist, gauss);
  picked.push(askDoubted?.(picked) ?? drawOther(candidates, picked, random));
  return picked;
}

/** Draws one of the candidates that were not picked. */
function drawOther(candidates: readonly number[], picked: readonly number[], random: () => number): number {
  let left = Math.floor(random() * (candidates.length - picked.length));
  for (const line of candidates) {
    if (picked.includes(line)) continue;
    if (left === 0) return line;
    left -= 1;
  }
  return candidates[0] ?? 0;
}

/** Puts a line among those that were picked, in the place of the last of the best. The wildcard stays. */
export function includeLine(picked: readonly number[], line: number): readonly number[] {
  return picked.includes(line) ? picked : picked.with(BEST - 1, line);
}

/** Draws four of the candidates, without regard to what was measured of them; a line of weight 2 is as likely as two. */
export function drawLines(
  candidates: readonly number[],
  weights: readonly number[],
  random: () => number,
): number[] {
  if (candidates.length <= MAX_ROWS) return [...candidates];
  // Each line gets a random waiting time, with its weight as the rate. The order in which they end is a draw by weight.
  const waits = new Map(candidates.map((line) => [line, -Math.log(1 - random()) / (weights[line] ?? 1)]));
  const waitOf = (line: number): number => waits.get(line) ?? Infinity;
  return candidates.toSorted((a, b) => waitOf(a) - waitOf(b)).slice(0, MAX_ROWS);
}

/** The three of the best score after each has had its luck, the best first. */
function findLuckiest(shortlist: readonly ScoredLine[], gauss: () => number): number[] {
  const lines: number[] = [];
  const scores: number[] = [];
  for (const { line, score } of shortlist) {
    const lucky = score + NOISE * gauss();
    let place = scores.length;
    while (place > 0 && lucky < (scores[place - 1] ?? Infinity)) place -= 1;
    if (place === BEST) continue;
    scores.splice(place, 0, lucky);
    lines.splice(place, 0, line);
    if (lines.length > BEST) lines.pop();
    scores.length = lines.length;
  }
  return lines;
}
