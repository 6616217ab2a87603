import { HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts';
import { findOrAdd } from '../../process/find-or-add.ts';
import { forgetOldest } from '../../process/forget-oldest.ts';
import { type Area, countryOf } from '../area.ts';
import { addCount } from '../counts.ts';
import { type Cusum, SOME_VISITORS, addTries } from './cusum.ts';
import type { SeenByArea } from './places.ts';

/** What speaks for a loss of some visitors, by line id. */
export type PartialLosses = Map<string, PartialEvidence>;

/** Evidence that some visitors of a network lose a line that others there reach. */
export type PartialEvidence = {
  sum: number;
  isLost: boolean;
  /** When the first of the failures that count was seen. */
  since: number;
  /** How many visitors have lost the line since then. */
  visitors: number;
  triedAt: number;
  failedAt: number;
  /** Successes since the last failure that counts. */
  successes: number;
  /** Failures that count, by network, and successes by country, since the sum was 0. */
  readonly failures: Map<Area, number>;
  readonly successesByCountry: Map<string, number>;
  /** Failures by network since somebody there last reached the line, the oldest first. */
  readonly waiting: Map<Area, { failures: number; at: number }>;
  readonly usual: UsualFailures;
};

type UsualFailures = { tries: number; failures: number };
type Tally = { readonly reached: number; readonly lost: number };

/** If other lines fail more often than normal, a lost line must fail five times as often as they do, up to 60 %. */
const MOST_FAILURES = 0.6;
/** Six failures must be outside the network that has most of them. */
const MIN_FAILURES_ELSEWHERE = 6;
/** If one country has over two thirds of the failures, but under half of the successes, only that country has the trouble. */
const MAX_PART_OF_COUNTRY = 2 / 3;
/** A hundred successes without a failure between them end it. */
const SUCCESSES_THAT_END = 100;
/** More than three failures in a row are no partial loss: the network reaches the line no more. */
const MAX_FAILURES_IN_ROW = 3;
/** If three networks or more fail in a window, and more than reach the line, the line is down for a moment. */
const MIN_NETWORKS_OF_OUTAGE = 3;
/** A failure waits 15 minutes for another visitor of its network who reaches the line. */
const WAIT_MS = 15 * MINUTE_MS;
/** A line that nobody has tried for this long is forgotten: it may have left the site. */
const FORGET_LINE_MS = 3 * HOUR_MS;
/** The latest 1,000 networks of a line say enough. An attacker may send from more. */
const MAX_NETWORKS = 1_000;
/** The last 1,000 tries say what is usual. */
const MAX_USUAL_TRIES = 1_000;

/**
 * Adds a window of counts. A failure counts only after somebody of the same network has reached the line again: before that, the
 * network may have lost it as a whole, which is another trouble.
 */
export function* foldPartialLosses(
  lines: PartialLosses,
  areas: SeenByArea,
  at: number,
): Generator<void, void> {
  const usual = sumUsual([...lines.values()]);
  for (const [lineId, byArea] of groupByLine(areas)) {
    const line = findOrAdd(lines, lineId, () => createPartialEvidence(at));
    noteLine(line, byArea, { usual, at });
    yield;
  }
  forgetOld(lines, at);
}

export function createPartialEvidence(at: number): PartialEvidence {
  return {
    sum: 0,
    isLost: false,
    since: at,
    visitors: 0,
    triedAt: at,
    failedAt: at,
    successes: 0,
    failures: new Map(),
    successesByCountry: new Map(),
    waiting: new Map(),
    usual: { tries: 0, failures: 0 },
  };
}

function noteLine(
  line: PartialEvidence,
  byArea: ReadonlyMap<Area, Tally>,
  { usual, at }: { readonly usual: UsualFailures; readonly at: number },
): void {
  line.triedAt = at;
  if (isDownForMoment([...byArea.values()])) return line.waiting.clear();
  const cusum = adaptTo(usual, line.usual);
  for (const [area, { reached, lost }] of byArea) {
    const failures = countFailures(line, { area, reached, lost, at });
    if (line.sum === 0 && failures > 0 && !line.isLost) beginCount(line, at);
    noteUsual(line, { reached, failures });
    line.sum = addTries(line.sum, { failures, successes: reached }, cusum);
    line.visitors += failures;
    line.successes = failures > 0 ? 0 : line.successes + reached;
    if (failures > 0) {
      line.failedAt = at;
      addCount(line.failures, area, failures);
    }
    addCount(line.successesByCountry, countryOf(area) ?? '', reached);
  }
  if (line.sum >= SOME_VISITORS.lostAt && isWidespread(line)) line.isLost = true;
  if (line.successes >= SUCCESSES_THAT_END) Object.assign(line, { isLost: false, sum: 0 });
}

function isDownForMoment(tallies: readonly Tally[]): boolean {
  const failing = tallies.filter(({ lost }) => lost > 0).length;
  const reaching = tallies.filter(({ reached }) => reached > 0).length;
  return failing >= MIN_NETWORKS_OF_OUTAGE && failing > reaching;
}

function beginCount(line: PartialEvidence, at: number): void {
  Object.assign(line, { since: at, visitors: 0 });
  line.failures.clear();
  line.successesByCountry.clear();
}

function forgetOld(lines: PartialLosses, at: number): void {
  for (const [lineId, { triedAt, waiting, failures }] of lines) {
    if (triedAt < at - FORGET_LINE_MS) lines.delete(lineId);
    for (const [area, failed] of waiting) {
      if (failed.at >= at - WAIT_MS) break;
      waiting.delete(area);
    }
    forgetOldest(waiting, MAX_NETWORKS);
    forgetOldest(failures, MAX_NETWORKS);
  }
}

/** How many failures of a network count now. */
function countFailures(
  { waiting }: PartialEvidence,
  { area, reached, lost, at }: Tally & { readonly area: Area; readonly at: number },
): number {
  const failures = (waiting.get(area)?.failures ?? 0) + lost;
  if (reached === 0 && lost === 0) return 0;
  waiting.delete(area);
  if (reached === 0) {
    waiting.set(area, { failures, at });
    return 0;
  }
  return failures > MAX_FAILURES_IN_ROW ? 0 : failures;
}

function isWidespread({ failures, successesByCountry }: PartialEvidence): boolean {
  const all = sumOf(failures);
  if (all - Math.max(0, ...failures.values()) < MIN_FAILURES_ELSEWHERE) return false;
  const byCountry = new Map<string, number>();
  for (const [area, count] of failures) addCount(byCountry, countryOf(area) ?? '', count);
  return [...byCountry].every(([country, count]) => {
    const hasMostVisitors = (successesByCountry.get(country) ?? 0) * 2 >= sumOf(successesByCountry);
    return count <= all * MAX_PART_OF_COUNTRY || hasMostVisitors;
  });
}

function sumOf(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Uses the failure rate of the other lines as the normal one, if it is above 1.5 %. */
function adaptTo(all: UsualFailures, own: UsualFailures): Cusum {
  const { normal: least, lost: leastLost } = SOME_VISITORS;
  const times = leastLost / least;
  const tries = all.tries - own.tries;
  const usual = tries > 0 ? (all.failures - own.failures) / tries : 0;
  const normal = Math.min(MOST_FAILURES / times, Math.max(least, usual));
  return { ...SOME_VISITORS, normal, lost: normal * times };
}

function noteUsual(
  { usual }: PartialEvidence,
  { reached, failures }: { readonly reached: number; readonly failures: number },
): void {
  const kept = Math.min(1, MAX_USUAL_TRIES / (usual.tries + 1));
  usual.tries = usual.tries * kept + reached + failures;
  usual.failures = usual.failures * kept + failures;
}

function sumUsual(lines: readonly PartialEvidence[]): UsualFailures {
  return lines.reduce(
    (sum, { usual }) => ({ tries: sum.tries + usual.tries, failures: sum.failures + usual.failures }),
    { tries: 0, failures: 0 },
  );
}

function groupByLine(areas: SeenByArea): ReadonlyMap<string, ReadonlyMap<Area, Tally>> {
  const groups = new Map<string, Map<Area, Tally>>();
  for (const [area, voters] of areas) {
    for (const byLine of voters.values()) {
      for (const [lineId, { reached, lost }] of byLine) {
        const group = findOrAdd(groups, lineId, () => new Map());
        const before = group.get(area) ?? { reached: 0, lost: 0 };
        // One voter, a /24 or /48, has one word in a window: one visitor may try again and again.
        group.set(area, { reached: before.reached + reached, lost: before.lost + Math.min(1, lost) });
      }
    }
  }
  return groups;
}
