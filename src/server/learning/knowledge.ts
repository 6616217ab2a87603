import { HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import { putLast } from '../process/forget-oldest.ts';
import { type Area, countryOf } from './area.ts';
import { type Counts, type Observation, WINDOW_MS, sortByName } from './counts.ts';
import { type VoteTable, createVoteTable } from './create-vote-table.ts';
import { type MemoryLimits, forgetLeastUseful } from './forget-least-useful.ts';
import { foldEntries } from './losses/entry-losses.ts';
import { type Losses, createLosses, foldLosses } from './losses/judge-losses.ts';
import type { SeenByArea } from './losses/places.ts';
import { trackShares } from './score.ts';
import { type SeenByVoter, type View, createView, foldView, forgetLine, sumVotes } from './view.ts';
import { VOTERS, findVoter } from './voters.ts';

/** Everything that the steering has learned. */
export type Knowledge = {
  readonly lineIds: readonly string[];
  /** The end of the last window that was folded, in ms. */
  at: number;
  /** The part of the visitors who were handed each line lately, in the order of `lineIds`. */
  shares: readonly number[];
  readonly everyone: View;
  readonly countries: Map<string, View>;
  /** The least recently folded first. */
  readonly areas: Map<Area, AreaView>;
  /** The votes of all areas, and those of everyone and all countries. */
  readonly areaVotes: VoteTable;
  readonly widerVotes: VoteTable;
  /** Who reached each line last, by its id. */
  readonly reached: Map<string, LastReached>;
  /** Which lines visitors lose, backups included. */
  readonly losses: Losses;
};

/** What is known of an area, and how much it is used: this decides what is forgotten. */
export type AreaView = View & {
  /** Voters who reported, each counted once in ten minutes. It is halved each hour. */
  use: number;
  /** The ten minutes in which somebody last reported, and a bit for each voter who did. */
  usedIn: number;
  usedBy: number;
};

/** The last voter who reached a line, and when another one before them did, or 0: one voter may be a liar. */
export type LastReached = { at: number; area: Area; voter: number; otherAt: number };

const USE_PERIOD_MS = 10 * MINUTE_MS;

/** Nothing learned yet: each line has the share of its weight. */
export function createKnowledge(
  lineIds: readonly string[],
  weights: readonly number[],
  at: number,
): Knowledge {
  const widerVotes = createVoteTable();
  return {
    lineIds,
    at,
    shares: weights,
    everyone: createView(at, widerVotes),
    countries: new Map(),
    areas: new Map(),
    areaVotes: createVoteTable(),
    widerVotes,
    reached: new Map(),
    losses: createLosses(),
  };
}

export function createAreaView(at: number, votes: VoteTable): AreaView {
  return { ...createView(at, votes), use: 0, usedIn: 0, usedBy: 0 };
}

/**
 * Folds one window of counts in, step by step. The same windows in the same order lead to the same knowledge, to the last bit.
 * Returns what was seen in each area, sorted.
 */
export function* foldWindow(
  knowledge: Knowledge,
  counts: Counts,
  endedAt: number,
  memory?: MemoryLimits,
): Generator<void, SeenByArea> {
  const { lineIds, everyone, countries, areas, losses } = knowledge;
  // If a clock was set back, what is known still ages by one window.
  const at = endedAt >= knowledge.at ? endedAt : knowledge.at + WINDOW_MS;
  const known = new Set(lineIds);
  const votesByCountry = new Map<string, VotesByVoter>();
  const votesOfEveryone: VotesByVoter = new Map();
  const seenByArea: [Area, SeenByVoter][] = [];
  yield* halveUses(knowledge, at);
  for (const [area, voters] of sortByName(counts.areas)) {
    const seen = selectLines(voters, known);
    seenByArea.push([area, seen]);
    const view = areas.get(area) ?? createAreaView(at, knowledge.areaVotes);
    foldView(view, seen, { cap: VOTERS.area.cap, at, keepsOld: true });
    putLast(areas, area, view);
    noteUse(view, seen, at);
    noteReached(knowledge, { area, seen, at });
    addVotes(votesOfEveryone, findVoter(area, VOTERS.everyone.count), view, seen);
    yield;
    const country = countryOf(area);
    if (country === undefined) continue;
    const votes = findOrAdd(votesByCountry, country, () => new Map());
    addVotes(votes, findVoter(area, VOTERS.country.count), view, seen);
  }
  for (const [country, votes] of votesByCountry) {
    const view = countries.get(country) ?? createView(at, knowledge.widerVotes);
    foldView(view, votes, { cap: VOTERS.country.cap, at, keepsOld: false });
    countries.set(country, view);
    yield;
  }
  foldView(everyone, votesOfEveryone, { cap: VOTERS.everyone.cap, at, keepsOld: false });
  yield;
  yield* foldLosses(losses, seenByArea, at);
  foldEntries(losses.entries, counts.site, at);
  const visits = lineIds.map((id) => counts.lines.get(id)?.visits ?? 0);
  knowledge.shares = trackShares(knowledge.shares, visits, at - knowledge.at);
  knowledge.at = at;
  yield* forgetLeastUseful(knowledge, memory);
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
  const { everyone, countries, areas } = knowledge;
  for (const view of [everyone, ...countries.values(), ...areas.values()])
    for (const lineId of view.lines.keys()) if (!listed.has(lineId)) forgetLine(view, lineId);
  for (const lineId of knowledge.reached.keys()) if (!listed.has(lineId)) knowledge.reached.delete(lineId);
  const shares = new Map(knowledge.lineIds.map((id, line) => [id, knowledge.shares[line]]));
  return {
    ...knowledge,
    lineIds,
    shares: normalize(weights.map((weight, line) => shares.get(lineIds[line] ?? '') ?? weight)),
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

/**
 * The latest time at which two voters had reached a line; -Infinity if there is none. Times far in the future, from a wrong
 * clock, do not count. To be two voters, a liar needs addresses in two prefixes.
 */
export function findReachedAt({ reached }: Knowledge, lineId: string, now: number): number {
  const at = reached.get(lineId)?.otherAt ?? 0;
  return at > 0 && at <= now + REACHED_LATELY_MS ? at : -Infinity;
}

function noteReached(
  { reached }: Knowledge,
  { area, seen, at }: { readonly area: Area; readonly seen: SeenByVoter; readonly at: number },
): void {
  for (const [voter, byLine] of seen) {
    for (const [lineId, observation] of byLine) {
      if (observation.reached === 0) continue;
      const last = reached.get(lineId);
      if (last === undefined) reached.set(lineId, { at, area, voter, otherAt: 0 });
      else if (last.area === area && last.voter === voter) last.at = at;
      else Object.assign(last, { at, area, voter, otherAt: last.at });
    }
  }
}

function noteUse(view: AreaView, seen: SeenByVoter, at: number): void {
  const period = Math.floor(at / USE_PERIOD_MS);
  if (view.usedIn !== period) {
    view.usedIn = period;
    view.usedBy = 0;
  }
  for (const voter of seen.keys()) {
    const bit = 1 << voter;
    if ((view.usedBy & bit) === 0) view.use += 1;
    view.usedBy |= bit;
  }
}

function* halveUses({ areas, at: before }: Knowledge, at: number): Generator<void, void> {
  const hours = Math.floor(at / HOUR_MS) - Math.floor(before / HOUR_MS);
  if (hours === 0) return;
  for (const view of areas.values()) {
    view.use /= 2 ** hours;
    yield;
  }
}

type VotesByVoter = Map<number, Map<string, Observation>>;

/**
 * In a wider view an area has one vote about each line that was just seen there, however often it was seen. If two areas are
 * one voter, the later vote counts.
 */
function addVotes(votes: VotesByVoter, voter: number, view: View, seen: SeenByVoter): void {
  const byLine = findOrAdd(votes, voter, () => new Map());
  const lineIds = new Set<string>();
  for (const ofVoter of seen.values()) for (const lineId of ofVoter.keys()) lineIds.add(lineId);
  for (const lineId of lineIds)
    if (view.lines.has(lineId)) byLine.set(lineId, sumVotes(view, lineId, view.at));
}

/** What voters saw of the lines that are listed, the voters and the lines in the order of their names. */
function selectLines(voters: SeenByVoter, listed: ReadonlySet<string>): SeenByVoter {
  return new Map(
    sortByName(voters).map(([voter, seen]) => [
      voter,
      new Map(sortByName(seen).filter(([lineId]) => listed.has(lineId))),
    ]),
  );
}
