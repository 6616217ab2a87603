import type { WhyReason } from '../../../contract/console.ts';
import { MAX_ROWS } from '../../../contract/limits.ts';
import type { Exclusion } from '../../site/create-line-policy.ts';
import type { LineScore } from '../../learning/create-offers.ts';
import type { SteeringMode } from '../../learning/create-steering.ts';

export type PickFacts = {
  readonly scores: readonly LineScore[];
  /** How likely each is to be among the next four. */
  readonly chances: readonly number[];
  /** Why visitors of the area may not have a line, by its index. */
  readonly exclusions: ReadonlyMap<number, Exclusion | 'by-address'>;
  /** The one in question, by its index. */
  readonly line: number;
  readonly mode: SteeringMode;
};

/** A line with at least this chance is one of the best, or as good as they are. */
const BEST_CHANCE = 0.5;
/** A line with this many times a wildcard's chance takes turns with the best. */
const TURNS_FACTOR = 1.5;
const BEST = MAX_ROWS - 1;

/** The one thing to say about why a line is, or is not, handed out. */
export function findReason({ scores, chances, exclusions, line, mode }: PickFacts): WhyReason {
  const score = scores[line];
  const chance = chances[line] ?? 0;
  const exclusion = exclusions.get(line);
  if (exclusion !== undefined) return exclusion;
  const allowed = scores.filter((_, index) => !exclusions.has(index));
  const up = scores.filter(
    ({ isUp }, index) => (isUp && !exclusions.has(index)) || (chances[index] ?? 0) > 0,
  ).length;
  if (score?.isUp === false) {
    if (chance === 0) return 'down';
    return score.isLastResort ? 'all-down' : 'reached-though-down';
  }
  if (score === undefined || (up || allowed.length) <= MAX_ROWS) return 'all';
  if (mode === 'uniform') return 'uniform';
  const best = findBest(allowed);
  if (chance >= BEST_CHANCE) return best.includes(score) ? 'best' : 'turns';
  const wildcardChance = 1 / Math.max(1, up - BEST);
  if (chance > TURNS_FACTOR * wildcardChance) return 'turns';
  return findHandicap(score, best.at(-1));
}

/** The lines that are handed out for their score, the best first. A small score is good. */
function findBest(scores: readonly LineScore[]): readonly LineScore[] {
  return scores
    .filter(({ isUp }) => isUp)
    .toSorted((a, b) => a.effectiveMs - b.effectiveMs)
    .slice(0, BEST);
}

/** Which part of its score is worst, compared with the rival's. */
function findHandicap(score: LineScore, rival: LineScore | undefined): 'slower' | 'less-reached' | 'loaded' {
  if (rival === undefined) return 'slower';
  const time = score.timeMs / rival.timeMs;
  const reach = findReachFactor(score) / findReachFactor(rival);
  const load = score.loadFactor / rival.loadFactor;
  if (load >= time && load >= reach) return 'loaded';
  return reach > time ? 'less-reached' : 'slower';
}

/** The factor by which visitors who do not reach a line worsen its score. */
export function findReachFactor({ effectiveMs, timeMs, loadFactor }: LineScore): number {
  return effectiveMs / timeMs / loadFactor;
}
