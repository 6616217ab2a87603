const HOUR_MS = 3_600_000;
const REACH_HALF_LIFE_MS = HOUR_MS;
const TIME_HALF_LIFE_MS = 12 * HOUR_MS;

/** What was seen of every line from one point of view: a network's, a country's, or everyone's. */
export type EvidenceRow = {
  /** When it was last folded, in ms. What it holds has aged since. */
  at: number;
  /**
   * `CELLS_PER_LINE` numbers for each line: reached, failed, times, sum of the logarithms of the times, and, for the
   * operator's eyes, lost (failed without the probes that were only left open) and the time since when it fails.
   */
  readonly cells: Float64Array;
};

export const CELLS_PER_LINE = 6;

/** What was counted of one line since the last fold. */
export type LineCounts = { reached: number; failed: number; sumLnMs: number; lost: number };

/** A row in which nothing was seen yet. */
export function createRow(lines: number, at: number): EvidenceRow {
  return { at, cells: new Float64Array(lines * CELLS_PER_LINE) };
}

/** What is left of a row's numbers after it has aged: whether a line is reached is forgotten fast, its time slowly. */
export function ageRow(row: EvidenceRow, at: number): { readonly reach: number; readonly time: number } {
  const ageMs = Math.max(0, at - row.at);
  return { reach: 2 ** (-ageMs / REACH_HALF_LIFE_MS), time: 2 ** (-ageMs / TIME_HALF_LIFE_MS) };
}

/**
 * Folds new counts into a row. The row remembers at most `cap` observations of each line's reach, so that a change shows
 * after as many, however long it has gone well before.
 */
export function foldRow(
  row: EvidenceRow,
  counts: ReadonlyMap<number, LineCounts>,
  { cap, at }: { readonly cap: number; readonly at: number },
): void {
  const { cells } = row;
  const left = ageRow(row, at);
  row.at = Math.max(row.at, at);
  for (let cell = 0; cell < cells.length; cell += CELLS_PER_LINE) {
    cells[cell] = (cells[cell] ?? 0) * left.reach;
    cells[cell + 1] = (cells[cell + 1] ?? 0) * left.reach;
    cells[cell + 2] = (cells[cell + 2] ?? 0) * left.time;
    cells[cell + 3] = (cells[cell + 3] ?? 0) * left.time;
    cells[cell + 4] = (cells[cell + 4] ?? 0) * left.reach;
  }
  for (const [line, counted] of counts) {
    const cell = line * CELLS_PER_LINE;
    foldLine(cells, cell, counted, cap);
    cells[cell + 5] = findFailingSince(cells[cell + 5] ?? 0, counted, at);
  }
}

function foldLine(cells: Float64Array, cell: number, counted: LineCounts, cap: number): void {
  const { reached, failed, sumLnMs, lost } = counted;
  const seen = reached + failed;
  if (seen === 0) return;
  const [wasReached = 0, hasFailed = 0, times = 0, lnMs = 0, wasLost = 0] = cells.subarray(
    cell,
    cell + CELLS_PER_LINE,
  );
  if (seen >= cap) {
    cells[cell] = (cap * reached) / seen;
    cells[cell + 1] = (cap * failed) / seen;
    cells[cell + 4] = (cap * lost) / seen;
  } else {
    const before = wasReached + hasFailed;
    const kept = before === 0 ? 1 : Math.min(1, (cap - seen) / before);
    cells[cell] = wasReached * kept + reached;
    cells[cell + 1] = hasFailed * kept + failed;
    cells[cell + 4] = wasLost * kept + lost;
  }
  cells[cell + 2] = times + reached;
  cells[cell + 3] = lnMs + sumLnMs;
}

/**
 * When the run of folds began in which more visitors lost the line than reached it; 0 where the last one was no such
 * fold. What says neither, a probe that was left open, changes nothing.
 */
function findFailingSince(since: number, { reached, lost }: LineCounts, at: number): number {
  if (lost > reached) return since || at;
  return reached > 0 ? 0 : since;
}
