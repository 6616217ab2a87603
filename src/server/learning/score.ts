import type { Beliefs } from './belief.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';

/** If only half of the visitors reach a line, it counts as eight times as slow: a failed probe costs far more than time. */
const REACH_POWER = 3;
/** A line may have twice its fair part of the visitors. From 1.4 times on it looks slower, and this grows steeply. */
const SHARE_LIMIT = 2;
const SHARE_EASE = 0.7;
const LOAD_POWER = 12;
/** A line that is twice as fast as another is 32 times (2 to the power of 5) as likely to be entered. */
const ODDS_POWER = 5;
/** How much worse than the best a line may be for a visitor to keep it. */
const KEPT_MS = 50;
const KEPT_FACTOR = 1.2;
/** A line with 1.8 times its fair part of the visitors is kept by nobody. */
const KEPT_LN_LOAD = LOAD_POWER * Math.log(1.8 / (SHARE_EASE * SHARE_LIMIT));
const MEMORY_MS = 2 * MINUTE_MS;
const MEMORY_VISITS_PER_LINE = 20;

/** The score of a line is the logarithm of its effective time: its time, made longer by visitors who fail, and by its load. */
export function scoreReach(lnMs: number, reach: number): number {
  return lnMs - REACH_POWER * Math.log(reach);
}

/** How likely a line is to win a race, compared with the other lines in it: by its time and its reach. */
export function findOdds({ reach, lnMs }: Pick<Beliefs, 'reach' | 'lnMs'>, line: number): number {
  return (reach[line] ?? 0) * Math.exp(-ODDS_POWER * (lnMs[line] ?? 0));
}

/** Finds the line that is more likely to win than all others together, by its place. Each part is the odds of one line. */
export function findFavourite(parts: readonly number[]): number | undefined {
  const place = parts.findIndex((part) => part > 0.5);
  return place === -1 ? undefined : place;
}

/** The scores of lines, without their load, and their loads. */
export type KeepFacts = { readonly score: ArrayLike<number>; readonly lnLoads: ArrayLike<number> };

/**
 * Says which of the candidates a visitor who comes back keeps: those that are no worse than the best of them by 50 ms, or by a
 * fifth if that is more. A visitor who keeps a line adds no load to it, so load counts only near its limit.
 */
export function createIsKept(
  candidates: readonly number[],
  { score, lnLoads }: KeepFacts,
): (line: number) => boolean {
  let best = Infinity;
  for (const line of candidates) best = Math.min(best, score[line] ?? Infinity);
  const bestMs = Math.exp(best);
  const limit = Math.log(Math.max(bestMs + KEPT_MS, bestMs * KEPT_FACTOR));
  return (line) =>
    candidates.includes(line) && (score[line] ?? Infinity) <= limit && (lnLoads[line] ?? 0) <= KEPT_LN_LOAD;
}

/** By how much load makes the time of each line longer, as a logarithm. It is 0 until the line has more than its part. */
export function findLnLoads(shares: readonly number[], weights: readonly number[]): readonly number[] {
  return shares.map((share, line) => {
    const eased = SHARE_EASE * SHARE_LIMIT * (weights[line] ?? 0);
    return LOAD_POWER * Math.log(Math.max(1, share / eased));
  });
}

/**
 * The part of the visitors who were handed each line lately: in the last two minutes, or in the last 20 visits for each line if
 * that takes longer. The parts sum to 1.
 */
export function trackShares(
  shares: readonly number[],
  visits: readonly number[],
  passedMs: number,
): readonly number[] {
  const total = visits.reduce((sum, count) => sum + count, 0);
  if (total === 0) return shares;
  const memoryVisits = MEMORY_VISITS_PER_LINE * shares.length;
  const kept = Math.exp(-Math.min(passedMs / MEMORY_MS, total / memoryVisits));
  return shares.map((share, line) => share * kept + ((visits[line] ?? 0) / total) * (1 - kept));
}
