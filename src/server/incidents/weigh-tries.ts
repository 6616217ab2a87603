import { MINUTE_MS } from '../../contract/time-units.ts';
import type { Area } from '../learning/area.ts';

/** What is known of a line in a place: a network, or a country. */
export type Cell = {
  /** How much failures and successes say that the line is lost. */
  sum: number;
  /** Visitors in a row who did not reach it: how many failed, and how much the run says. */
  runFailures: number;
  runSum: number;
  /** What is usual here: how many tried it, those who left before the end included, and how many reached it. */
  readonly usual: { tries: number; reached: number };
  /** Successes since the last failure, of those who can tell that the line is back. */
  successes: number;
  isLost: boolean;
  since: number;
  visitors: number;
  triedAt: number;
  failedAt: number;
  /** Where the failures of `sum` were. */
  readonly failing: Map<Area, number>;
  /** True for the networks of a country together. */
  readonly isCountry: boolean;
};

/** What the visitors of a network met at a line in a window. */
export type Tries = {
  readonly reached: number;
  readonly lost: number;
  /** The failures that count: of one voter, not all do. */
  readonly countedLost: number;
  /** Probes that were still open when their visitors left. */
  readonly open: number;
};

type Circumstances = {
  /** The network that it was seen in. */
  readonly area: Area;
  readonly at: number;
  /** The part of the tries of all lines that reach one by the time that the visitor leaves. */
  readonly usualReach: number;
};

/**
 * Page's cumulative sum (CUSUM): each failure and each success adds how much likelier it is where a line is lost than where
 * it is not. The sum never falls under 0, so that a good past does not hide a bad present.
 */
const NORMAL_FAILURES = 0.03;
const FAILURES_WHEN_LOST = 0.9;
const ADDED_BY_FAILURE = Math.log(FAILURES_WHEN_LOST / NORMAL_FAILURES);
const ADDED_BY_SUCCESS = Math.log((1 - FAILURES_WHEN_LOST) / (1 - NORMAL_FAILURES));
/** Four failures in a row, or five with a success between them: where 1.5 tries in 100 fail, by chance once in nineteen million tries. */
const LOST_AT = 3.5 * ADDED_BY_FAILURE;
/** The sum grows no further, or a line that was lost for hours would be lost for hours after it has come back. */
const MOST = 5 * ADDED_BY_FAILURE;
/** So many successes in a row, and the line is no longer lost: steering sends few visitors there, so few can tell. */
const SUCCESSES_THAT_END = 3;
/** A line that nobody of an area has tried for this long is not known to be lost there, and older failures say nothing. */
export const FORGET_MS = 30 * MINUTE_MS;
/** A country loses a line if there are so many failures beside those of the network that has most of them. */
const MIN_FAILURES_ELSEWHERE = 3;
/** Of one network so many failures count for its country: others may have had bad luck while it has lost the line. */
const MAX_FAILURES_OF_NETWORK = 2;

/**
 * Where a line swallows what is sent to it, most visitors leave before their probe has failed. So a run of visitors of whom none
 * reached the line counts, too: each who left adds by how much likelier that is if the line is lost than it usually is here. Three of
 * the run must have failed, because a line that became slow is left open as often.
 */
const MIN_FAILURES_OF_RUN = 3;
const LOST_AT_OF_RUN = 5 * ADDED_BY_FAILURE;
/** No line is believed to be reached more often than this by the time that a visitor leaves. */
const MAX_USUAL_REACH = 0.6;
/** So many tries say what is usual, and older ones are forgotten. */
const MAX_USUAL_TRIES = 200;
/** What is usual at all lines counts like so many tries here, and a little less, because most lines are not the best. */
const PRIOR_TRIES = 10;
const PRIOR_PART = 0.8;
/** The part of the visitors of a lost line that leave before it has failed. */
const OPEN_WHEN_LOST = 0.8;

export function createCell({ isCountry, at }: { readonly isCountry: boolean; readonly at: number }): Cell {
  return {
    sum: 0,
    runFailures: 0,
    runSum: 0,
    usual: { tries: 0, reached: 0 },
    successes: 0,
    isLost: false,
    since: at,
    visitors: 0,
    triedAt: at,
    failedAt: at,
    failing: new Map(),
    isCountry,
  };
}

/** Whether there is enough evidence that the line is lost. */
export function showsLoss(cell: Cell): boolean {
  return hasEvidence(cell) && isWidespread(cell);
}

/** Whether a line that was lost is reached again. */
export function isLossOver({ isLost, successes }: Cell): boolean {
  return isLost && successes >= SUCCESSES_THAT_END;
}

/** Takes up a loss that was known before. */
export function resumeLoss(cell: Cell, { since, visitors }: Pick<Cell, 'since' | 'visitors'>): void {
  Object.assign(cell, { isLost: true, sum: MOST, since, visitors });
}

/** Whether anything speaks for a loss. */
export function hasSigns({ sum, runFailures, isLost }: Cell): boolean {
  return sum > 0 || runFailures > 0 || isLost;
}

function hasEvidence({ sum, runSum, runFailures }: Cell): boolean {
  return sum >= LOST_AT || (runSum >= LOST_AT_OF_RUN && runFailures >= MIN_FAILURES_OF_RUN);
}

function isWidespread({ isCountry, failing }: Cell): boolean {
  if (!isCountry) return true;
  const failures = [...failing.values()];
  return failures.reduce((sum, each) => sum + each, 0) - Math.max(0, ...failures) >= MIN_FAILURES_ELSEWHERE;
}

/** Adds what was seen in one network to what is known of the line there, or in its country. */
export function noteTries(
  cell: Cell,
  { reached, lost, countedLost, open }: Tries,
  { area, at, usualReach }: Circumstances,
): void {
  if (reached + lost > 0) cell.triedAt = at;
  const isOld = cell.failedAt < at - FORGET_MS;
  if (!cell.isLost && isOld && hasSigns(cell)) Object.assign(cell, { sum: 0, runSum: 0, runFailures: 0 });
  if (!hasSigns(cell)) {
    cell.since = at;
    cell.visitors = 0;
    // `clear` takes new memory, also if there is nothing to clear.
    if (cell.failing.size > 0) cell.failing.clear();
  }
  const before = cell.failing.get(area) ?? 0;
  const room = cell.isCountry ? MAX_FAILURES_OF_NETWORK - before : Infinity;
  const counted = Math.min(countedLost, room);
  noteRun(cell, { reached, countedLost: counted, open, usualReach });
  noteSuccesses(cell, { area, reached, lost });
  cell.visitors += lost;
  if (lost > 0) {
    cell.failedAt = at;
    cell.failing.set(area, before + counted);
  }
  // The order within a window is not known, so all of it is added at once.
  const sum = cell.sum + counted * ADDED_BY_FAILURE + reached * ADDED_BY_SUCCESS;
  cell.sum = Math.min(MOST, Math.max(0, sum));
}

/**
 * In a country that has lost a line, some networks may never have lost it, so only those that failed tell when it is back. If the
 * others of these have not tried it for long, the country is no longer what fails: then everyone is heard, and the one
 * network that still fails has lost the line alone.
 */
function noteSuccesses(
  cell: Cell,
  { area, reached, lost }: Pick<Tries, 'reached' | 'lost'> & Pick<Circumstances, 'area'>,
): void {
  const { isCountry, isLost, failing } = cell;
  const isOfOne = isCountry && isLost && failing.size <= 1;
  const isThatOne = isOfOne && failing.has(area);
  if (lost > 0 && !isThatOne) cell.successes = 0;
  else if (lost === 0 && (isOfOne || failing.has(area))) cell.successes += reached;
}

function noteRun(
  cell: Cell,
  { reached, countedLost, open, usualReach }: Omit<Tries, 'lost'> & Pick<Circumstances, 'usualReach'>,
): void {
  const { usual } = cell;
  const reach = (usual.reached + PRIOR_TRIES * PRIOR_PART * usualReach) / (usual.tries + PRIOR_TRIES);
  if (reached > 0) {
    cell.runFailures = 0;
    cell.runSum = 0;
  } else {
    const addedByOpen = Math.log(OPEN_WHEN_LOST / (1 - Math.min(MAX_USUAL_REACH, reach)));
    cell.runFailures += countedLost;
    cell.runSum += countedLost * ADDED_BY_FAILURE + open * Math.max(0, addedByOpen);
  }
  if (!cell.isLost && cell.runFailures === 0) noteUsual(usual, { reached, open }, MAX_USUAL_TRIES);
}

/** Adds tries to what is usual. Older ones fade when there are more than the given number. */
export function noteUsual(
  usual: Cell['usual'],
  { reached, open }: Pick<Tries, 'reached' | 'open'>,
  maxTries: number,
): void {
  const kept = Math.min(1, maxTries / (usual.tries + 1));
  usual.tries = usual.tries * kept + reached + open;
  usual.reached = usual.reached * kept + reached;
}
