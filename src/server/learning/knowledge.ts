import { type Area, countryOf } from './area.ts';
import { type Counts, type Observation, WINDOW_MS } from './counts.ts';
import { type Losses, createLosses, foldLosses } from './losses/judge-losses.ts';
import type { SeenByArea } from './losses/place-losses.ts';
import { trackShares } from './score.ts';
import { type SeenByVoter, type View, countVotes, createView, foldView } from './view.ts';
import { VOTERS, findVoter } from './voters.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';

/** Everything that the steering has learned. */
export type Knowledge = {
  readonly lineIds: readonly string[];
  /** The end of the last window that was folded, in ms. */
  at: number;
  /** Which part of the visitors each line was handed lately, in the order of `lineIds`. */
  shares: readonly number[];
  readonly everyone: View;
  readonly countries: Map<string, View>;
  /** The least recently folded first. */
  readonly areas: Map<Area, View>;
  /** Which lines visitors lose, backups included. */
  readonly losses: Losses;
};

/** Areas times lines: 10,000 areas at 40 lines, 2,000 at 200. With the votes, it bounds the memory to some 100 MB. */
const MAX_AREA_LINES = 400_000;
const MAX_AREA_VOTES = 150_000;

/** Nothing learned yet: each line has the share of its weight. */
export function createKnowledge(
  lineIds: readonly string[],
  weights: readonly number[],
  at: number,
): Knowledge {
  return {
    lineIds,
    at,
    shares: weights,
    everyone: createView(at),
    countries: new Map(),
    areas: new Map(),
    losses: createLosses(),
  };
}

/**
 * Folds one window of counts in. The same windows in the same order lead to the same knowledge, to the last bit. Returns what was
 * seen in each area, sorted.
 */
export function foldWindow(knowledge: Knowledge, counts: Counts, endedAt: number): SeenByArea {
  const { lineIds, everyone, countries, areas, losses } = knowledge;
  // If a clock was set back, what is known still ages by one window.
  const at = endedAt >= knowledge.at ? endedAt : knowledge.at + WINDOW_MS;
  const known = new Set(lineIds);
  const votesByCountry = new Map<string, VotesByVoter>();
  const votesOfEveryone: VotesByVoter = new Map();
  const seenByArea = sortByName(counts.areas);
  for (const [area, voters] of seenByArea) {
    const seen = selectLines(voters, known);
    const view = areas.get(area) ?? createView(at);
    foldView(view, seen, { cap: VOTERS.area.cap, at, keepsOld: true });
    areas.delete(area); // It goes to the end of the queue.
    areas.set(area, view);
    addVotes(votesOfEveryone, findVoter(area, VOTERS.everyone.count), view, seen);
    const country = countryOf(area);
    if (country === undefined) continue;
    let votes = votesByCountry.get(country);
    if (votes === undefined) votesByCountry.set(country, (votes = new Map()));
    addVotes(votes, findVoter(area, VOTERS.country.count), view, seen);
  }
  for (const [country, votes] of votesByCountry) {
    const view = countries.get(country) ?? createView(at);
    foldView(view, votes, { cap: VOTERS.country.cap, at, keepsOld: false });
    countries.set(country, view);
  }
  foldView(everyone, votesOfEveryone, { cap: VOTERS.everyone.cap, at, keepsOld: false });
  forgetOldest(knowledge);
  foldLosses(losses, seenByArea, at);
  const visits = lineIds.map((id) => counts.lines.get(id)?.visits ?? 0);
  knowledge.shares = trackShares(knowledge.shares, visits, at - knowledge.at);
  knowledge.at = at;
  return seenByArea;
}

/** The same knowledge for another list of lines. Known lines keep what is known of them; new lines start with nothing. */
export function alignKnowledge(
  knowledge: Knowledge,
  lineIds: readonly string[],
  weights: readonly number[],
): Knowledge {
  // Unchanged lists return the same object: normalizing again could change the last bit of the shares.
  if (isSameList(knowledge.lineIds, lineIds)) return knowledge;
  const listed = new Set(lineIds);
  const alignView = ({ at, lines }: View): View => ({ at, lines: filterKeys(lines, listed) });
  const alignViews = <K>(views: ReadonlyMap<K, View>): Map<K, View> =>
    new Map([...views].map(([key, view]) => [key, alignView(view)]));
  const shares = new Map(knowledge.lineIds.map((id, line) => [id, knowledge.shares[line]]));
  return {
    lineIds,
    at: knowledge.at,
    shares: normalize(weights.map((weight, line) => shares.get(lineIds[line] ?? '') ?? weight)),
    everyone: alignView(knowledge.everyone),
    countries: alignViews(knowledge.countries),
    areas: alignViews(knowledge.areas),
    losses: knowledge.losses,
  };
}

function isSameList(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}

/** Parts of a whole: the same proportions, with the sum 1. */
export function normalize(parts: readonly number[]): readonly number[] {
  const sum = parts.reduce((total, part) => total + part, 0);
  // All remaining lines have share 0, so they get equal shares.
  if (sum === 0) return parts.map(() => 1 / parts.length);
  return parts.map((part) => part / sum);
}

/** If the server sees a line down, it still hands it out for this long after visitors have reached it. */
export const REACHED_LATELY_MS = 2 * MINUTE_MS;
/** One voter may be a liar. To be two voters, a liar needs addresses in two prefixes. */
const MIN_VOTERS = 2;

/**
 * The latest time at which enough voters had reached a line; -Infinity if there is none. Times far in the future, from a
 * wrong clock, do not count.
 */
export function findReachedAt({ areas }: Knowledge, lineId: string, now: number): number {
  const latest = Array.from({ length: MIN_VOTERS }, () => -Infinity);
  for (const { lines } of areas.values()) {
    for (const { reachedAt } of lines.get(lineId)?.votes.values() ?? []) {
      const isKnown = reachedAt > 0 && reachedAt <= now + REACHED_LATELY_MS;
      if (!isKnown || reachedAt <= (latest.at(-1) ?? 0)) continue;
      latest.push(reachedAt);
      latest.sort((a, b) => b - a);
      latest.pop();
    }
  }
  return latest.at(-1) ?? -Infinity;
}

type VotesByVoter = Map<number, Map<string, Observation>>;

/**
 * In a wider view an area has one vote about each line that was just seen there, however often it was seen. If two areas are
 * one voter, the later vote counts.
 */
function addVotes(votes: VotesByVoter, voter: number, { lines }: View, seen: SeenByVoter): void {
  let byLine = votes.get(voter);
  if (byLine === undefined) votes.set(voter, (byLine = new Map()));
  for (const ofVoter of seen.values()) {
    for (const lineId of ofVoter.keys()) {
      const record = lines.get(lineId);
      if (record !== undefined) byLine.set(lineId, record);
    }
  }
}

/** What voters saw of the lines that are listed, the voters in the order of their names. */
function selectLines(voters: SeenByVoter, listed: ReadonlySet<string>): SeenByVoter {
  return new Map(sortByName(voters).map(([voter, seen]) => [voter, filterKeys(seen, listed)]));
}

function filterKeys<T>(map: ReadonlyMap<string, T>, wanted: ReadonlySet<string>): Map<string, T> {
  return new Map([...map].filter(([key]) => wanted.has(key)));
}

/** All replicas must add in the same order, because the last bits of a sum depend on it. */
function sortByName<K extends string | number, T>(map: ReadonlyMap<K, T>): readonly (readonly [K, T])[] {
  const nameOf = ([key]: readonly [K, T]): string => String(key);
  return [...map].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function forgetOldest({ areas, lineIds }: Knowledge): void {
  let votes = 0;
  for (const view of areas.values()) votes += countVotes(view);
  for (const [area, view] of areas) {
    if (areas.size * lineIds.length <= MAX_AREA_LINES && votes <= MAX_AREA_VOTES) return;
    areas.delete(area);
    votes -= countVotes(view);
  }
}
