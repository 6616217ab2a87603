import { MINUTE_MS } from '../../../contract/time-units.ts';
import type { Area } from '../area.ts';
import { PLACE_FAILURE, WHOLE_PLACE, addTries } from './cusum.ts';

/** What is known of a line in a place: a network, or a country. */
export type Evidence = {
  /** How much failures and successes say that the line is lost. */
  sum: number;
  /** Visitors in a row who did not reach it: how many failed, and how much the run says. */
  runFailures: number;
  runSum: number;
  /** How many visitors here usually try the line (left-open probes included), and how many reach it. */
  readonly usual: Usual;
  /** Successes since the last failure. In a lost country, only networks that failed count. */
  successes: number;
  isLost: boolean;
  /** When the first of the failures that count was seen. */
  since: number;
  /** How many visitors have lost the line since then. */
  visitors: number;
  triedAt: number;
  /** 0 if nobody has failed. */
  failedAt: number;
  /** When something last spoke for a loss: a failure, or a probe that had waited for long when its visitor left. */
  signAt: number;
  /** 0 if nobody has reached it. */
  reachedAt: number;
  /** Where the failures of `sum` were. Undefined where nobody has failed yet, as in most places: it saves half of the memory. */
  failing: Map<Area, number> | undefined;
  /** True for the networks of a country together. */
  readonly isCountry: boolean;
};

export type Usual = { tries: number; reached: number };

/** What the visitors of a network met at a line in a window. */
export type Tries = {
  readonly reached: number;
  readonly lost: number;
  /** The failures that count: of one voter, not all do. */
  readonly countedLost: number;
  /** Probes that were still open when their visitors left. */
  readonly open: number;
  /** How much they say, by how long they had waited. Undefined if nobody knows how long the line takes here. */
  readonly openSays: number | undefined;
};

type Circumstances = {
  /** The network that it was seen in. */
  readonly area: Area;
  readonly at: number;
  /** The part of all probes of all lines that are answered before the visitor leaves. */
  readonly usualReach: number;
};

/** Three successes in a row end a loss. Steering sends few visitors to a lost line, so few can tell. */
const SUCCESSES_THAT_END = 3;
/** A line that nobody of an area has lost for half an hour is not known to be lost there. */
export const FORGET_MS = 30 * MINUTE_MS;
/** If nobody has reached it since, older failures speak for a loss for an hour: to some networks few visitors come. */
export const REMEMBER_MS = 60 * MINUTE_MS;
/** A country loses a line only if three failures are outside the network that has most of them. */
const MIN_FAILURES_ELSEWHERE = 3;
/** At most 2 failures of one network count for its country, so that one network cannot make the country lost. */
const MAX_FAILURES_OF_NETWORK = 2;

/**
 * If a line swallows requests, most visitors leave before their probe fails. So a run of visitors without a success counts, too, by how long
 * they had waited. At least 2 of the run must have failed, because probes of a slow line are left open as often. Where nobody knows
 * how long the line takes, an open probe says half as much.
 */
const MIN_FAILURES_OF_RUN = 2;
const LOST_AT_OF_RUN = 4 * PLACE_FAILURE;
/** A probe speaks for a loss if only one answer in three takes longer than it had waited. */
const MIN_SIGN = Math.log(3);
/** Of the probes of a line, at most 60 % are expected to be answered before the visitor leaves. */
const MAX_USUAL_REACH = 0.6;
/** The last 200 tries say what is usual. */
const MAX_USUAL_TRIES = 200;
/** The usual reach of all lines counts as 10 tries here, times 0.8, because most lines are below the best. */
const PRIOR_TRIES = 10;
const PRIOR_PART = 0.8;
/** The part of the visitors of a lost line that leave before it has failed. */
const OPEN_WHEN_LOST = 0.8;

export function createEvidence({
  isCountry,
  at,
}: {
  readonly isCountry: boolean;
  readonly at: number;
}): Evidence {
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
    failedAt: 0,
    signAt: 0,
    reachedAt: 0,
    failing: undefined,
    isCountry,
  };
}

/** Whether there is enough evidence that the line is lost. */
export function showsLoss(evidence: Evidence): boolean {
  const { sum, runSum, runFailures } = evidence;
  const isEnough =
    sum >= WHOLE_PLACE.lostAt || (runSum >= LOST_AT_OF_RUN && runFailures >= MIN_FAILURES_OF_RUN);
  return isEnough && isWidespread(evidence);
}

/** Whether a line that was lost is reached again. */
export function isLossOver({ isLost, successes }: Evidence): boolean {
  return isLost && successes >= SUCCESSES_THAT_END;
}

/** Whether anything speaks for a loss. */
export function hasSigns({ sum, runFailures, isLost }: Evidence): boolean {
  return sum > 0 || runFailures > 0 || isLost;
}

function isWidespread({ isCountry, failing }: Evidence): boolean {
  if (!isCountry) return true;
  const failures = [...(failing?.values() ?? [])];
  return failures.reduce((sum, each) => sum + each, 0) - Math.max(0, ...failures) >= MIN_FAILURES_ELSEWHERE;
}

/** Adds what was seen in one network to what is known of the line there, or in its country. */
export function noteTries(evidence: Evidence, tries: Tries, { area, at, usualReach }: Circumstances): void {
  const { reached, lost, countedLost } = tries;
  if (reached + lost > 0) evidence.triedAt = at;
  if (reached > 0) evidence.reachedAt = at;
  const isOld = evidence.signAt < at - REMEMBER_MS;
  if (!evidence.isLost && isOld && hasSigns(evidence))
    Object.assign(evidence, { sum: 0, runSum: 0, runFailures: 0 });
  if (!hasSigns(evidence)) {
    evidence.since = at;
    evidence.visitors = 0;
    evidence.failing = undefined;
  }
  const before = evidence.failing?.get(area) ?? 0;
  const room = evidence.isCountry ? MAX_FAILURES_OF_NETWORK - before : Infinity;
  const failures = Math.min(countedLost, room);
  if (isNewSign(evidence, tries)) evidence.signAt = at;
  noteRun(evidence, { ...tries, countedLost: failures }, usualReach);
  noteSuccesses(evidence, { area, reached, lost });
  evidence.visitors += lost;
  if (lost > 0) {
    evidence.failedAt = at;
    evidence.failing ??= new Map();
    evidence.failing.set(area, before + failures);
  }
  evidence.sum = addTries(evidence.sum, { failures, successes: reached }, WHOLE_PLACE);
}

/** Only networks that failed can say that the line is back. */
function noteSuccesses(
  evidence: Evidence,
  { area, reached, lost }: Pick<Tries, 'reached' | 'lost'> & Pick<Circumstances, 'area'>,
): void {
  if (lost > 0) evidence.successes = 0;
  else if (evidence.failing?.has(area)) evidence.successes += reached;
}

/** If others reach a lost line again, a failure does not say that it is still lost, because one try in a hundred fails anyway. */
function isNewSign({ isLost, successes }: Evidence, tries: Tries): boolean {
  if (!isLost) return isSign(tries);
  return tries.lost > 0 && tries.reached === 0 && successes === 0;
}

/** Whether what was seen speaks for a loss. */
export function isSign({ reached, lost, openSays = 0 }: Omit<Tries, 'countedLost' | 'open'>): boolean {
  return lost > 0 || (reached === 0 && openSays >= MIN_SIGN);
}

function noteRun(
  evidence: Evidence,
  { reached, countedLost, open, openSays }: Omit<Tries, 'lost'>,
  usualReach: number,
): void {
  const { usual } = evidence;
  const reach = (usual.reached + PRIOR_TRIES * PRIOR_PART * usualReach) / (usual.tries + PRIOR_TRIES);
  if (reached > 0) {
    evidence.runFailures = 0;
    evidence.runSum = 0;
  } else {
    const addedByOpen = Math.log(OPEN_WHEN_LOST / (1 - Math.min(MAX_USUAL_REACH, reach)));
    evidence.runFailures += countedLost;
    evidence.runSum += countedLost * PLACE_FAILURE + (openSays ?? (open * Math.max(0, addedByOpen)) / 2);
  }
  if (!evidence.isLost && evidence.runFailures === 0) noteUsual(usual, { reached, open }, MAX_USUAL_TRIES);
}

/** Adds tries to what is usual. Older ones fade when there are more than the given number. */
export function noteUsual(
  usual: Usual,
  { reached, open }: Pick<Tries, 'reached' | 'open'>,
  maxTries: number,
): void {
  const kept = Math.min(1, maxTries / (usual.tries + 1));
  usual.tries = usual.tries * kept + reached + open;
  usual.reached = usual.reached * kept + reached;
}
