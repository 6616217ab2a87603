import { CELLS_PER_LINE, type EvidenceRow, ageRow } from '../../learning/evidence-row.ts';

/** What the visitors of one network have seen of a line. Old tries fade, so that the counts are not whole. */
export type Cell = {
  readonly reached: number;
  readonly lost: number;
  /** Undefined where nobody reached it. */
  readonly timeMs: number | undefined;
  /** Undefined where it does not fail. */
  readonly failingSince: number | undefined;
};

/** What has faded further is no longer told. */
const MIN_TRIES = 0.5;
/** The geometric mean of fewer times than this, all faded, is noise. */
const MIN_TIMES = 0.5;

/** Reads what a row knows of a line; undefined where that is nothing, or too long ago. */
export function readCell(row: EvidenceRow, line: number, at: number): Cell | undefined {
  const left = ageRow(row, at);
  const start = line * CELLS_PER_LINE;
  const { cells } = row;
  const reached = (cells[start] ?? 0) * left.reach;
  const lost = (cells[start + 4] ?? 0) * left.reach;
  if (reached + lost < MIN_TRIES) return undefined;
  const times = (cells[start + 2] ?? 0) * left.time;
  const sumLnMs = (cells[start + 3] ?? 0) * left.time;
  const since = cells[start + 5] ?? 0;
  const isFailing = since > 0 && lost > reached;
  return {
    reached,
    lost,
    timeMs: times < MIN_TIMES ? undefined : Math.exp(sumLnMs / times),
    failingSince: isFailing ? since : undefined,
  };
}
