import { HOUR_MS } from '../../contract/time-units.ts';
import { type Observation, WINDOW_MS } from './counts.ts';
import { NO_ROW, type VoteTable, createVoteTable } from './create-vote-table.ts';

/** What was seen of every line from one point of view: an area's, a country's, or everyone's. */
export type View = {
  /** When counts were last folded into it, in ms. */
  at: number;
  /** The row of the first vote about each line, by its id. A line that nobody has tried from here has none. */
  readonly lines: Map<string, number>;
  /** Where its votes are, beside those of other views. */
  readonly votes: VoteTable;
};

/** What each voter saw, by line id. */
export type SeenByVoter = ReadonlyMap<number, ReadonlyMap<string, Observation>>;

const REACH_HALF_LIFE_MS = HOUR_MS;
const TIME_HALF_LIFE_MS = 12 * HOUR_MS;
/** A vote remembers this many times for each observation of reach. Times change slowly, and a mean of few is noisy. */
const TIMES_PER_OBSERVATION = 2;

export function createView(at: number, votes: VoteTable = createVoteTable()): View {
  return { at, lines: new Map(), votes };
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
  view.at = Math.max(view.at, options.at);
  for (const [voter, byLine] of seen) {
    for (const [lineId, observation] of byLine) {
      if (observation.reached + observation.failed === 0) continue;
      castVote(view.votes, findVote(view, lineId, voter), observation, options);
    }
  }
}

/** Forgets what is known of a line. */
export function forgetLine({ lines, votes }: View, lineId: string): void {
  votes.removeRows(lines.get(lineId) ?? NO_ROW);
  lines.delete(lineId);
}

export function countVotes({ lines, votes }: View, lineId: string): number {
  const { next } = votes.columns();
  let count = 0;
  for (let row = lines.get(lineId) ?? NO_ROW; row !== NO_ROW; row = next[row] ?? NO_ROW) count += 1;
  return count;
}

/** Which part of a count is left after this age: reach is forgotten fast, times slowly. */
type Aging = { readonly reach: number; readonly time: number };

/** All windows end at whole ten seconds, so that most ages are in this list: a day of them. */
const AGINGS: readonly Aging[] = Array.from({ length: (24 * HOUR_MS) / WINDOW_MS }, (_, windows) =>
  ageBy(windows * WINDOW_MS),
);

function findAging(since: number, at: number): Aging {
  const ageMs = Math.max(0, at - since);
  return AGINGS[ageMs / WINDOW_MS] ?? ageBy(ageMs);
}

function ageBy(ageMs: number): Aging {
  return { reach: 2 ** (-ageMs / REACH_HALF_LIFE_MS), time: 2 ** (-ageMs / TIME_HALF_LIFE_MS) };
}

/** The row of a voter's vote; a new one if the voter has said nothing of the line yet. */
function findVote({ lines, votes }: View, lineId: string, voter: number): number {
  const { next, voter: voters } = votes.columns();
  const first = lines.get(lineId) ?? NO_ROW;
  for (let row = first; row !== NO_ROW; row = next[row] ?? NO_ROW) if (voters[row] === voter) return row;
  const added = votes.addRow();
  const columns = votes.columns();
  columns.voter[added] = voter;
  columns.next[added] = first;
  for (const amount of [columns.reached, columns.failed, columns.lost, columns.times, columns.sumLnMs])
    amount[added] = 0;
  lines.set(lineId, added);
  return added;
}

/** Changes the voter's word after a new observation. */
function castVote(
  votes: VoteTable,
  row: number,
  seen: Observation,
  { cap, at, keepsOld }: FoldOptions,
): void {
  const columns = votes.columns();
  const left = findAging(columns.at[row] ?? 0, at);
  const old = keepsOld ? 1 : 0;
  const reached = (columns.reached[row] ?? 0) * left.reach * old;
  const failed = (columns.failed[row] ?? 0) * left.reach * old;
  const lost = (columns.lost[row] ?? 0) * left.reach * old;
  const times = (columns.times[row] ?? 0) * left.time * old;
  const sumLnMs = (columns.sumLnMs[row] ?? 0) * left.time * old;
  const reach = findParts(reached + failed, seen.reached + seen.failed, cap);
  const time = findParts(times, seen.times, cap * TIMES_PER_OBSERVATION);
  columns.at[row] = at;
  columns.reached[row] = reached * reach.kept + seen.reached * reach.fresh;
  columns.failed[row] = failed * reach.kept + seen.failed * reach.fresh;
  columns.lost[row] = lost * reach.kept + seen.lost * reach.fresh;
  columns.times[row] = times * time.kept + seen.times * time.fresh;
  columns.sumLnMs[row] = sumLnMs * time.kept + seen.sumLnMs * time.fresh;
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

/**
 * What was seen of a line, as it is at this time: the sum of what its voters last said. It is worked out for each question, because the
 * sums of all areas would take as much memory as the votes.
 */
export function sumVotes({ lines, votes }: View, lineId: string, at: number): Observation {
  const columns = votes.columns();
  let [reached, failed, lost, times, sumLnMs] = [0, 0, 0, 0, 0];
  for (let row = lines.get(lineId) ?? NO_ROW; row !== NO_ROW; row = columns.next[row] ?? NO_ROW) {
    const left = findAging(columns.at[row] ?? 0, at);
    reached += (columns.reached[row] ?? 0) * left.reach;
    failed += (columns.failed[row] ?? 0) * left.reach;
    lost += (columns.lost[row] ?? 0) * left.reach;
    times += (columns.times[row] ?? 0) * left.time;
    sumLnMs += (columns.sumLnMs[row] ?? 0) * left.time;
  }
  return { reached, failed, lost, times, sumLnMs };
}
