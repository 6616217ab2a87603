import { describe, expect, test } from 'vitest';
import { CELLS_PER_LINE, type LineCounts, createRow, foldRow } from './evidence-row.ts';

const [LOST, FAILING_SINCE] = [4, 5];
const REACHED: LineCounts = { reached: 3, failed: 0, sumLnMs: 15, lost: 0 };
const LOST_BY_ALL: LineCounts = { reached: 0, failed: 3, sumLnMs: 0, lost: 3 };
const LEFT_OPEN: LineCounts = { reached: 0, failed: 0.9, sumLnMs: 0, lost: 0 };

function foldAll(folds: readonly LineCounts[]): readonly number[] {
  const row = createRow(2, 0);
  for (const [index, counts] of folds.entries()) {
    foldRow(row, new Map([[1, counts]]), { cap: 12, at: (index + 1) * 1_000 });
  }
  return [...row.cells.subarray(CELLS_PER_LINE)];
}

describe('since when a line fails', () => {
  test('is the first of the folds in a row that lost it, however long ago that is', () => {
    expect(foldAll([REACHED, LOST_BY_ALL, LOST_BY_ALL, LOST_BY_ALL])[FAILING_SINCE]).toBe(2_000);
  });

  test('ends when it is reached again', () => {
    expect(foldAll([LOST_BY_ALL, REACHED])[FAILING_SINCE]).toBe(0);
    expect(foldAll([LOST_BY_ALL, REACHED, LOST_BY_ALL])[FAILING_SINCE]).toBe(3_000);
  });

  test('is not moved by probes that were left open', () => {
    expect(foldAll([REACHED, LEFT_OPEN])[FAILING_SINCE]).toBe(0);
    expect(foldAll([LOST_BY_ALL, LEFT_OPEN])[FAILING_SINCE]).toBe(1_000);
  });
});

test('what was lost is remembered as what was reached is: up to a cap', () => {
  const cells = foldAll(Array.from({ length: 40 }, () => LOST_BY_ALL));
  expect(cells[LOST]).toBeCloseTo(12, 3);
  expect(foldAll([{ reached: 10, failed: 30, sumLnMs: 40, lost: 30 }])[LOST]).toBe(9);
});
