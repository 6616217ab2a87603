import { HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';
import { type Area, countryOf } from '../learning/area.ts';
import type { Counts } from '../learning/counts.ts';

/** A line that some visitors of several networks do not reach, while others beside them do. */
export type PartialLoss = {
  readonly lineId: string;
  /** When the first of the failures that count was seen. */
  readonly since: number;
  /** How many visitors have lost the line since then. */
  readonly visitors: number;
  /** The networks where it was lost since then. */
  readonly areas: readonly Area[];
};

export type PartialLossWatch = {
  /** Takes a window of counts that has closed. */
  readonly addWindow: (counts: Pick<Counts, 'areas'>, at: number) => void;
  readonly losses: () => readonly PartialLoss[];
};

/** A cumulative sum, as in `create-network-watch.ts`: this part of the tries fails for no reason, or so many times as many. */
const NORMAL_FAILURES = 0.015;
const TIMES_WHEN_LOST = 5;
/** Where all lines fail more often than that, a line must be worse than the others by as much. At most this part fails. */
const MOST_FAILURES = 0.6;
/** By chance a sum gets here once in three million tries. */
const LOST_AT = 15;
const MOST = 20;
/** So many failures must be outside the network that has most of them. */
const MIN_FAILURES_ELSEWHERE = 6;
/** If one country has a larger part of the failures than this, and not half of the successes, it is that country's trouble. */
const MAX_PART_OF_COUNTRY = 2 / 3;
/** So many successes without a failure between them end it. */
const SUCCESSES_THAT_END = 100;
/** More failures than this in a row are no partial loss: the network reaches the line no more. */
const MAX_FAILURES_IN_ROW = 3;
/** If so many networks fail in a window, and more than reach the line, the line is down for a moment. */
const MIN_NETWORKS_OF_OUTAGE = 3;
/** A failure waits this long for somebody beside it who reaches the line. */
const WAIT_MS = 15 * MINUTE_MS;
/** A line that nobody has tried for this long is forgotten: it may have left the site. */
const FORGET_MS = 3 * HOUR_MS;
/** So many networks of a line say enough: of more, the oldest are forgotten. There may be as many as an attacker wants. */
const MAX_NETWORKS = 1_000;
/** So many tries say what is usual, and older ones are forgotten. */
const MAX_USUAL_TRIES = 1_000;

type Tally = { reached: number; lost: number };

type LineTally = {
  sum: number;
  isLost: boolean;
  since: number;
  visitors: number;
  triedAt: number;
  /** Successes since the last failure that counts. */
  successes: number;
  /** Failures that count, by network, and successes by country, since the sum was 0. */
  readonly failures: Map<Area, number>;
  readonly successesByCountry: Map<string | undefined, number>;
  /** Failures by network since somebody there last reached the line. */
  readonly waiting: Map<Area, { failures: number; at: number }>;
  readonly usual: { tries: number; failures: number };
};

/**
 * Notices lines that are lost now and then, everywhere. A failure counts only after somebody of the same network has
 * reached the line again: before that, the network may have lost it as a whole, which is another trouble.
 */
export function createPartialLossWatch(): PartialLossWatch {
  const lines = new Map<string, LineTally>();

  return {
    addWindow: ({ areas }, at) => {
      const usual = sumUsual([...lines.values()]);
      for (const [lineId, byArea] of groupByLine(areas)) {
        let line = lines.get(lineId);
        if (line === undefined) lines.set(lineId, (line = createLine(at)));
        noteLine(line, byArea, { usual, at });
      }
      forgetOld(lines, at);
    },
    losses: () =>
      [...lines].flatMap(([lineId, { isLost, since, visitors, failures }]) =>
        isLost ? [{ lineId, since, visitors, areas: [...failures.keys()] }] : [],
      ),
  };
}

function createLine(at: number): LineTally {
  return {
    sum: 0,
    isLost: false,
    since: at,
    visitors: 0,
    triedAt: at,
    successes: 0,
    failures: new Map(),
    successesByCountry: new Map(),
    waiting: new Map(),
    usual: { tries: 0, failures: 0 },
  };
}

function noteLine(
  line: LineTally,
  byArea: ReadonlyMap<Area, Tally>,
  { usual, at }: { readonly usual: LineTally['usual']; readonly at: number },
): void {
  line.triedAt = at;
  if (isDownForMoment([...byArea.values()])) return line.waiting.clear();
  const odds = findOdds(usual, line.usual);
  for (const [area, { reached, lost }] of byArea) {
    const failures = countFailures(line, { area, reached, lost, at });
    if (line.sum === 0 && failures > 0 && !line.isLost) beginCount(line, at);
    noteUsual(line, { reached, failures });
    const sum = line.sum + failures * odds.failure + reached * odds.success;
    line.sum = Math.min(MOST, Math.max(0, sum));
    line.visitors += failures;
    line.successes = failures > 0 ? 0 : line.successes + reached;
    if (failures > 0) addTo(line.failures, area, failures);
    addTo(line.successesByCountry, countryOf(area), reached);
  }
  if (line.sum >= LOST_AT && isWidespread(line)) line.isLost = true;
  if (line.successes >= SUCCESSES_THAT_END) Object.assign(line, { isLost: false, sum: 0 });
}

function isDownForMoment(tallies: readonly Tally[]): boolean {
  const failing = tallies.filter(({ lost }) => lost > 0).length;
  const reaching = tallies.filter(({ reached }) => reached > 0).length;
  return failing >= MIN_NETWORKS_OF_OUTAGE && failing > reaching;
}

function beginCount(line: LineTally, at: number): void {
  Object.assign(line, { since: at, visitors: 0 });
  line.failures.clear();
  line.successesByCountry.clear();
}

function forgetOld(lines: Map<string, LineTally>, at: number): void {
  for (const [lineId, { triedAt, waiting, failures }] of lines) {
    if (triedAt < at - FORGET_MS) lines.delete(lineId);
    for (const [area, failed] of waiting) if (failed.at < at - WAIT_MS) waiting.delete(area);
    for (const byArea of [waiting, failures]) {
      for (const area of byArea.keys()) if (byArea.size > MAX_NETWORKS) byArea.delete(area);
    }
  }
}

/** How many failures of a network count now. */
function countFailures(
  { waiting }: LineTally,
  { area, reached, lost, at }: Tally & { readonly area: Area; readonly at: number },
): number {
  const failures = (waiting.get(area)?.failures ?? 0) + lost;
  if (reached === 0) {
    if (lost > 0) waiting.set(area, { failures, at });
    return 0;
  }
  waiting.delete(area);
  return failures > MAX_FAILURES_IN_ROW ? 0 : failures;
}

function isWidespread({ failures, successesByCountry }: LineTally): boolean {
  const all = sumOf(failures);
  if (all - Math.max(0, ...failures.values()) < MIN_FAILURES_ELSEWHERE) return false;
  const byCountry = new Map<string | undefined, number>();
  for (const [area, count] of failures) addTo(byCountry, countryOf(area), count);
  return [...byCountry].every(([country, count]) => {
    const hasMostVisitors = (successesByCountry.get(country) ?? 0) * 2 >= sumOf(successesByCountry);
    return count <= all * MAX_PART_OF_COUNTRY || hasMostVisitors;
  });
}

function addTo<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function sumOf(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** What a failure and a success add, by what is usual at the other lines. */
function findOdds(
  all: LineTally['usual'],
  own: LineTally['usual'],
): { readonly failure: number; readonly success: number } {
  const tries = all.tries - own.tries;
  const usual = tries > 0 ? (all.failures - own.failures) / tries : 0;
  const normal = Math.min(MOST_FAILURES / TIMES_WHEN_LOST, Math.max(NORMAL_FAILURES, usual));
  const lost = normal * TIMES_WHEN_LOST;
  return { failure: Math.log(lost / normal), success: Math.log((1 - lost) / (1 - normal)) };
}

function noteUsual(
  { usual }: LineTally,
  { reached, failures }: { readonly reached: number; readonly failures: number },
): void {
  const kept = Math.min(1, MAX_USUAL_TRIES / (usual.tries + 1));
  usual.tries = usual.tries * kept + reached + failures;
  usual.failures = usual.failures * kept + failures;
}

function sumUsual(lines: readonly LineTally[]): LineTally['usual'] {
  return lines.reduce(
    (sum, { usual }) => ({ tries: sum.tries + usual.tries, failures: sum.failures + usual.failures }),
    { tries: 0, failures: 0 },
  );
}

function groupByLine(areas: Counts['areas']): ReadonlyMap<string, ReadonlyMap<Area, Tally>> {
  const groups = new Map<string, Map<Area, Tally>>();
  for (const [area, voters] of areas) {
    for (const byLine of voters.values()) {
      for (const [lineId, { reached, lost }] of byLine) {
        let group = groups.get(lineId);
        if (group === undefined) groups.set(lineId, (group = new Map()));
        const before = group.get(area) ?? { reached: 0, lost: 0 };
        // One voter, a /24 or /48, has one word in a window: one visitor may try again and again.
        group.set(area, { reached: before.reached + reached, lost: before.lost + Math.min(1, lost) });
      }
    }
  }
  return groups;
}
