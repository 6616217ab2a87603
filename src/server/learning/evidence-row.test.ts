import { describe, expect, test } from 'vitest';
import { CELLS_PER_LINE, type LineCounts, createRow, foldRow } from './evidence-row.ts';

const [LOST, FAILING_SINCE] = [4, 5];
const REACHED: LineCounts = { reached: 3, failed: 0, times: 3, sumLnMs: 15, lost: 0 };
const LOST_BY_ALL: LineCounts = { reached: 0, failed: 3, times: 0, sumLnMs: 0, lost: 3 };
const LEFT_OPEN: LineCounts = { reached: 0, failed: 0.9, times: 0, sumLnMs: 0, lost: 0 };

function foldAll(folds: readonly LineCounts[]): readonly number[] {
  const row = createRow(2, 0);
  for (const [index, counts] of folds.entries()) {
    foldRow(row, new Map([[0, new Map([[1, counts]])]]), {
      cap: 12,
      at: (index + 1) * 1_000,
      keepsOld: true,
    });
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
  expect(foldAll([{ reached: 10, failed: 30, times: 10, sumLnMs: 40, lost: 30 }])[LOST]).toBe(9);
});

describe('the word of one voter', () => {
  const AREA = { cap: 1, keepsOld: true };
  const one = (counts: Partial<LineCounts>): LineCounts => ({
    reached: 0,
    failed: 0,
    lost: 0,
    times: counts.reached ?? 0,
    sumLnMs: 0,
    ...counts,
  });

  test('weighs one observation, however often it is said', () => {
    const row = createRow(1, 0);
    for (let fold = 1; fold <= 50; fold += 1) {
      foldRow(row, new Map([[7, new Map([[0, one({ failed: 10, lost: 10 })]])]]), { ...AREA, at: fold });
    }
    expect(row.cells[0]).toBe(0);
    expect(row.cells[1]).toBeCloseTo(1);
  });

  test('is one beside those of all others', () => {
    const row = createRow(1, 0);
    const honest = new Map(
      Array.from({ length: 9 }, (_, voter) => [voter, new Map([[0, one({ reached: 1, sumLnMs: 5 })]])]),
    );
    foldRow(row, honest, { ...AREA, at: 1 });
    foldRow(row, new Map([[9, new Map([[0, one({ failed: 10, lost: 10 })]])]]), { ...AREA, at: 2 });
    expect(row.cells[0]).toBeCloseTo(9);
    expect(row.cells[1]).toBeCloseTo(1);
  });

  test('changes as soon as it says something else', () => {
    const row = createRow(1, 0);
    foldRow(row, new Map([[0, new Map([[0, one({ reached: 5, sumLnMs: 25 })]])]]), { ...AREA, at: 1 });
    foldRow(row, new Map([[0, new Map([[0, one({ failed: 1, lost: 1 })]])]]), { ...AREA, at: 2 });
    expect([row.cells[0], row.cells[1]]).toEqual([0, 1]);
  });
});
