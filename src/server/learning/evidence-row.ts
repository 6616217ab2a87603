const HOUR_MS = 3_600_000;
const REACH_HALF_LIFE_MS = HOUR_MS;
const TIME_HALF_LIFE_MS = 12 * HOUR_MS;
/** A vote remembers so many times for each observation of its reach: times change slowly, and few are noisy. */
const TIMES_PER_OBSERVATION = 2;

/** What was seen of every line from one point of view: a network's, a country's, or everyone's. */
export type EvidenceRow = {
  /** When it was last folded, in ms. What it holds has aged since. */
  at: number;
  /**
   * The sums of the votes: `CELLS_PER_LINE` numbers for each line. They are reached, failed, times, sum of the logarithms
   * of the times, and, for the operator's eyes, lost (failed without the probes that were only left open) and the time
   * since when it fails.
   */
  readonly cells: Float64Array;
  /** What each voter last said of a line: by line, and then by voter. */
  readonly votes: Map<number, Map<number, Vote>>;
};

export const CELLS_PER_LINE = 6;

/**
 * The word of one voter about one line, as it was at `at`. It weighs no more than a few observations, however often the
 * voter repeats it: that is what bounds the influence of whoever forges reports.
 */
export type Vote = {
  readonly at: number;
  /** The end of the last window in which the line was reached, in ms; 0 where that was never. */
  readonly reachedAt: number;
  readonly reached: number;
  readonly failed: number;
  readonly lost: number;
  readonly times: number;
  readonly sumLnMs: number;
};

/** What was counted of one line since the last fold. */
export type LineCounts = {
  reached: number;
  failed: number;
  lost: number;
  times: number;
  sumLnMs: number;
};

/** What was counted of each line, by its index. */
export type CountsByLine = Map<number, LineCounts>;

/** What each voter counted. */
export type CountsByVoter = ReadonlyMap<number, CountsByLine>;

/** A row in which nothing was seen yet. */
export function createRow(lines: number, at: number): EvidenceRow {
  return { at, cells: new Float64Array(lines * CELLS_PER_LINE), votes: new Map() };
}

/** What is left of a row's numbers after it has aged: whether a line is reached is forgotten fast, its time slowly. */
export function ageRow({ at: since }: { readonly at: number }, at: number): Aging {
  const ageMs = Math.max(0, at - since);
  return { reach: 2 ** (-ageMs / REACH_HALF_LIFE_MS), time: 2 ** (-ageMs / TIME_HALF_LIFE_MS) };
}

type Aging = { readonly reach: number; readonly time: number };

type FoldOptions = {
  /** How many observations a voter's word about a line weighs at most. */
  readonly cap: number;
  readonly at: number;
  /** Whether what a voter said before stays, as far as the new counts leave room for it. */
  readonly keepsOld: boolean;
};

/** Folds new counts into a row. */
export function foldRow(row: EvidenceRow, counts: CountsByVoter, options: FoldOptions): void {
  const { at } = options;
  ageCells(row.cells, ageRow(row, at));
  row.at = Math.max(row.at, at);
  const totals: CountsByLine = new Map();
  for (const [voter, byLine] of counts) {
    for (const [line, counted] of byLine) {
      let votes = row.votes.get(line);
      if (votes === undefined) row.votes.set(line, (votes = new Map()));
      const vote = castVote(votes.get(voter), counted, options);
      if (vote !== undefined) votes.set(voter, vote);
      addCounts(totals, line, counted);
    }
  }
  for (const [line, total] of totals) sumVotes(row, line, total);
}

/** Adds to what was counted of a line. */
function addCounts(sum: CountsByLine, line: number, added: LineCounts): void {
  const counted = sum.get(line);
  if (counted === undefined) {
    sum.set(line, { ...added });
    return;
  }
  counted.reached += added.reached;
  counted.failed += added.failed;
  counted.lost += added.lost;
  counted.times += added.times;
  counted.sumLnMs += added.sumLnMs;
}

/** What a row as a whole says of a line, as counts for a wider row. */
export function readTotals({ cells }: EvidenceRow, line: number): LineCounts {
  const start = line * CELLS_PER_LINE;
  const [reached = 0, failed = 0, times = 0, sumLnMs = 0, lost = 0] = cells.subarray(start, start + 5);
  return { reached, failed, lost, times, sumLnMs };
}

function ageCells(cells: Float64Array, left: Aging): void {
  for (let cell = 0; cell < cells.length; cell += CELLS_PER_LINE) {
    cells[cell] = (cells[cell] ?? 0) * left.reach;
    cells[cell + 1] = (cells[cell + 1] ?? 0) * left.reach;
    cells[cell + 2] = (cells[cell + 2] ?? 0) * left.time;
    cells[cell + 3] = (cells[cell + 3] ?? 0) * left.time;
    cells[cell + 4] = (cells[cell + 4] ?? 0) * left.reach;
  }
}

/** The voter's word after new counts. */
function castVote(
  last: Vote | undefined,
  counted: LineCounts,
  { cap, at, keepsOld }: FoldOptions,
): Vote | undefined {
  const seen = counted.reached + counted.failed;
  if (seen === 0) return last;
  const old = keepsOld ? last : undefined;
  const left = old === undefined ? { reach: 0, time: 0 } : ageRow(old, at);
  const before = old === undefined ? 0 : (old.reached + old.failed) * left.reach;
  const timesBefore = old === undefined ? 0 : old.times * left.time;
  const reach = findParts(before, seen, cap);
  const time = findParts(timesBefore, counted.times, cap * TIMES_PER_OBSERVATION);
  const blendReach = (was = 0, is: number): number => was * left.reach * reach.kept + is * reach.fresh;
  const blendTime = (was = 0, is: number): number => was * left.time * time.kept + is * time.fresh;
  return {
    at,
    reachedAt: counted.reached > 0 ? at : (old?.reachedAt ?? 0),
    reached: blendReach(old?.reached, counted.reached),
    failed: blendReach(old?.failed, counted.failed),
    lost: blendReach(old?.lost, counted.lost),
    times: blendTime(old?.times, counted.times),
    sumLnMs: blendTime(old?.sumLnMs, counted.sumLnMs),
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

function sumVotes({ at, cells, votes }: EvidenceRow, line: number, counted: LineCounts): void {
  const sum = { reached: 0, failed: 0, lost: 0, times: 0, sumLnMs: 0 };
  for (const vote of votes.get(line)?.values() ?? []) {
    const left = ageRow(vote, at);
    sum.reached += vote.reached * left.reach;
    sum.failed += vote.failed * left.reach;
    sum.lost += vote.lost * left.reach;
    sum.times += vote.times * left.time;
    sum.sumLnMs += vote.sumLnMs * left.time;
  }
  const start = line * CELLS_PER_LINE;
  const [lostBefore = 0, failingSince = 0] = cells.subarray(start + 4, start + 6);
  const since = findFailingSince({ failingSince, lostBefore }, counted, at);
  cells.set([sum.reached, sum.failed, sum.times, sum.sumLnMs, sum.lost, since], start);
}

/** One visitor's failure may be that visitor's own trouble; two are the network's. */
const MIN_FAILURES = 2;
/** What is left of an earlier failure once it has faded this far no longer counts. */
const MIN_LOST_BEFORE = 0.5;

/**
 * Since when visitors lose the line in every fold; 0 where they do not. A probe that was left open changes nothing. It
 * counts failures, not voters, because the word of one voter weighs one try at most.
 */
function findFailingSince(
  { failingSince, lostBefore }: { readonly failingSince: number; readonly lostBefore: number },
  { reached, lost }: LineCounts,
  at: number,
): number {
  if (lost <= reached) return reached > 0 ? 0 : failingSince;
  const isRepeated = lost >= MIN_FAILURES || lostBefore >= MIN_LOST_BEFORE;
  return failingSince || (isRepeated ? at : 0);
}
