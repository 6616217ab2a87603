/**
 * What one voter last said of a line, as it was at `at`. It weighs no more than a few observations, however often the voter
 * repeats it. This bounds what forged reports can do. Votes are rows of one table, because there are hundreds of thousands: one
 * object each took seven times the memory.
 */
export type VoteColumns = {
  readonly at: Float64Array;
  readonly voter: Uint8Array;
  /** See `Observation`. */
  readonly reached: Float32Array;
  readonly failed: Float32Array;
  readonly lost: Float32Array;
  readonly times: Float32Array;
  readonly sumLnMs: Float32Array;
  /** The row of the next vote about the same line in the same view, or `NO_ROW`. */
  readonly next: Int32Array;
};

export type VoteTable = {
  /** `addRow` may replace them, because it may need more room. */
  readonly columns: () => VoteColumns;
  /** Adds a row. Its numbers are 0, or still those of a row that was removed. */
  readonly addRow: () => number;
  /** Removes a row and all that follow it. */
  readonly removeRows: (firstRow: number) => void;
  readonly rowCount: () => number;
};

/** Ends a list of rows. */
export const NO_ROW = -1;
const FIRST_ROOM = 64;
const GROWTH = 1.5;

export function createVoteTable(): VoteTable {
  let columns = createColumns(FIRST_ROOM);
  /** Rows from here on were never used. */
  let unused = 0;
  let firstRemoved = NO_ROW;
  let rowCount = 0;

  return {
    columns: () => columns,
    addRow: () => {
      rowCount += 1;
      if (firstRemoved !== NO_ROW) {
        const row = firstRemoved;
        firstRemoved = columns.next[row] ?? NO_ROW;
        return row;
      }
      if (unused === columns.next.length) columns = copyColumns(columns, Math.ceil(unused * GROWTH));
      unused += 1;
      return unused - 1;
    },
    removeRows: (firstRow) => {
      for (let row = firstRow; row !== NO_ROW;) {
        const following = columns.next[row] ?? NO_ROW;
        columns.next[row] = firstRemoved;
        firstRemoved = row;
        rowCount -= 1;
        row = following;
      }
    },
    rowCount: () => rowCount,
  };
}

function createColumns(rows: number): VoteColumns {
  return {
    at: new Float64Array(rows),
    voter: new Uint8Array(rows),
    reached: new Float32Array(rows),
    failed: new Float32Array(rows),
    lost: new Float32Array(rows),
    times: new Float32Array(rows),
    sumLnMs: new Float32Array(rows),
    next: new Int32Array(rows),
  };
}

function copyColumns(from: VoteColumns, rows: number): VoteColumns {
  const columns = createColumns(rows);
  columns.at.set(from.at);
  columns.voter.set(from.voter);
  columns.reached.set(from.reached);
  columns.failed.set(from.failed);
  columns.lost.set(from.lost);
  columns.times.set(from.times);
  columns.sumLnMs.set(from.sumLnMs);
  columns.next.set(from.next);
  return columns;
}
