import { HOUR_MS } from '../../contract/time-units.ts';
import type { Observation } from './counts.ts';

/** What was seen of every line from one point of view: an area's, a country's, or everyone's. */
export type View = {
  /** When counts were last folded into it, in ms. What it holds has aged since. */
  at: number;
  /** By line id. A line that nobody has tried from here has no record. */
  readonly lines: Map<string, LineRecord>;
};

/** What was seen of a line: the sum of what its voters last said, as it was when counts were last folded in. */
export type LineRecord = { -readonly [Field in keyof Observation]: number } & {
  readonly votes: Map<number, Vote>;
};

/**
 * What one voter last said of a line, as it was at `at`. It weighs no more than a few observations, however often the voter
 * repeats it. This bounds what forged reports can do.
 */
export type Vote = Observation & {
  readonly at: number;
  /** The end of the last window in which the line was reached, in ms; 0 where that was never. */
  readonly reachedAt: number;
};

/** What each voter saw, by line id. */
export type SeenByVoter = ReadonlyMap<number, ReadonlyMap<string, Observation>>;

const REACH_HALF_LIFE_MS = HOUR_MS;
const TIME_HALF_LIFE_MS = 12 * HOUR_MS;
/** A vote remembers this many times for each observation of reach. Times change slowly, and a mean of few is noisy. */
const TIMES_PER_OBSERVATION = 2;
const NO_VOTE: Vote = { reached: 0, failed: 0, lost: 0, times: 0, sumLnMs: 0, at: 0, reachedAt: 0 };

export function createView(at: number): View {
  return { at, lines: new Map() };
}

export function countVotes({ lines }: View): number {
  let votes = 0;
  for (const record of lines.values()) votes += record.votes.size;
  return votes;
}

/** A record in which nothing was seen yet. */
export function createRecord(): LineRecord {
  return { reached: 0, failed: 0, lost: 0, times: 0, sumLnMs: 0, votes: new Map() };
}

export type FoldOptions = {
  /** How many observations a voter's word about a line weighs at most. */
  readonly cap: number;
  readonly at: number;
  /** Whether what a voter said before stays, as far as the new counts leave room for it. */
  readonly keepsOld: boolean;
};

/** Folds what voters saw since the last fold into a view. */
export function foldView(view: View, seen: SeenByVoter, options: FoldOptions): void {
  ageLines(view, options.at);
  const changed = new Set<LineRecord>();
  for (const [voter, byLine] of seen) {
    for (const [lineId, observation] of byLine) {
      const record = openRecord(view, lineId);
      const vote = castVote(record.votes.get(voter), observation, options);
      if (vote !== undefined) record.votes.set(voter, vote);
      changed.add(record);
    }
  }
  for (const record of changed) sumVotes(record, view.at);
}

/** Which part of a count is left after this age: reach is forgotten fast, times slowly. */
export type Aging = { readonly reach: number; readonly time: number };

export function findAging({ at: since }: { readonly at: number }, at: number): Aging {
  const ageMs = Math.max(0, at - since);
  return { reach: 2 ** (-ageMs / REACH_HALF_LIFE_MS), time: 2 ** (-ageMs / TIME_HALF_LIFE_MS) };
}

/** An observation after it has aged. */
export function age(observation: Observation, left: Aging): Observation {
  return {
    reached: observation.reached * left.reach,
    failed: observation.failed * left.reach,
    lost: observation.lost * left.reach,
    times: observation.times * left.time,
    sumLnMs: observation.sumLnMs * left.time,
  };
}

function ageLines(view: View, at: number): void {
  const left = findAging(view, at);
  // In place: there may be 200 lines in each of some hundred areas, every ten seconds.
  for (const record of view.lines.values()) {
    record.reached *= left.reach;
    record.failed *= left.reach;
    record.lost *= left.reach;
    record.times *= left.time;
    record.sumLnMs *= left.time;
  }
  view.at = Math.max(view.at, at);
}

function openRecord({ lines }: View, lineId: string): LineRecord {
  let record = lines.get(lineId);
  if (record === undefined) {
    record = createRecord();
    lines.set(lineId, record);
  }
  return record;
}

/** The voter's word after a new observation. */
function castVote(
  last: Vote | undefined,
  seen: Observation,
  { cap, at, keepsOld }: FoldOptions,
): Vote | undefined {
  const amount = seen.reached + seen.failed;
  if (amount === 0) return last;
  const old = (keepsOld ? last : undefined) ?? NO_VOTE;
  const left = findAging(old, at);
  const aged = age(old, left);
  const reach = findParts((old.reached + old.failed) * left.reach, amount, cap);
  const time = findParts(aged.times, seen.times, cap * TIMES_PER_OBSERVATION);
  return {
    reached: aged.reached * reach.kept + seen.reached * reach.fresh,
    failed: aged.failed * reach.kept + seen.failed * reach.fresh,
    lost: aged.lost * reach.kept + seen.lost * reach.fresh,
    times: aged.times * time.kept + seen.times * time.fresh,
    sumLnMs: aged.sumLnMs * time.kept + seen.sumLnMs * time.fresh,
    at,
    reachedAt: seen.reached > 0 ? at : old.reachedAt,
  };
}

/** Which parts of the old and of the new amount are kept, so that both together are at most `most`. */
function findParts(
  before: number,
  added: number,
  most: number,
): { readonly kept: number; readonly fresh: number } {
  const fresh = added > most ? most / added : 1;
  const kept = before === 0 ? 0 : Math.min(1, Math.max(0, most - added) / before);
  return { kept, fresh };
}

/** Sums up what the voters of a line said, as it is now. */
function sumVotes(record: LineRecord, at: number): void {
  let [reached, failed, lost, times, sumLnMs] = [0, 0, 0, 0, 0];
  for (const vote of record.votes.values()) {
    const left = findAging(vote, at);
    reached += vote.reached * left.reach;
    failed += vote.failed * left.reach;
    lost += vote.lost * left.reach;
    times += vote.times * left.time;
    sumLnMs += vote.sumLnMs * left.time;
  }
  record.reached = reached;
  record.failed = failed;
  record.lost = lost;
  record.times = times;
  record.sumLnMs = sumLnMs;
}
