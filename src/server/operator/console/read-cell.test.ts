import { expect, test } from 'vitest';
import { type LineCounts, createRow, foldRow } from '../../learning/evidence-row.ts';
import { readCell } from './read-cell.ts';

const HOUR_MS = 3_600_000;

function rowOf(...folds: readonly Partial<LineCounts>[]) {
  return rowWithCap(12, folds);
}

function rowWithCap(cap: number, folds: readonly Partial<LineCounts>[]) {
  const row = createRow(1, 0);
  for (const [index, fold] of folds.entries()) {
    const counts = {
      reached: 0,
      failed: fold.lost ?? 0,
      times: fold.reached ?? 0,
      sumLnMs: 0,
      lost: 0,
      ...fold,
    };
    // One voter, whose word weighs as much as it takes.
    foldRow(row, new Map([[0, new Map([[0, counts]])]]), { cap, at: index + 1, keepsOld: true });
  }
  return row;
}

test('a line of which nothing was seen has no cell, and neither has one that was only left open', () => {
  expect(readCell(createRow(1, 0), 0, 0)).toBeUndefined();
  expect(readCell(rowOf({ failed: 3 }), 0, 1)).toBeUndefined();
});

test('the failure of one visitor is not the network’s; that of two is', () => {
  expect(readCell(rowOf({ lost: 1 }), 0, 1)).toMatchObject({ lost: 1, failingSince: undefined });
  expect(readCell(rowOf({ lost: 1 }, { lost: 1 }), 0, 2)).toMatchObject({ failingSince: 2 });
  expect(readCell(rowOf({ lost: 2 }), 0, 1)).toMatchObject({ failingSince: 1 });
});

test('two failures of one prefix are the network’s, although its word weighs no more than one', () => {
  expect(readCell(rowWithCap(1, [{ lost: 1 }]), 0, 1)?.failingSince).toBeUndefined();
  expect(readCell(rowWithCap(1, [{ lost: 2 }]), 0, 1)).toMatchObject({ lost: 1, failingSince: 1 });
  expect(readCell(rowWithCap(1, [{ lost: 1 }, { lost: 1 }]), 0, 2)).toMatchObject({
    lost: 1,
    failingSince: 2,
  });
});

test('a line fails when more have lost it than reached it, and no sooner', () => {
  const reached = { reached: 12, sumLnMs: 12 * Math.log(80) };
  const seen = [reached, { lost: 3 }, { lost: 3 }, { lost: 3 }];
  expect(readCell(rowOf(...seen.slice(0, 2)), 0, 2)?.failingSince).toBeUndefined();
  expect(readCell(rowOf(...seen), 0, 4)).toMatchObject({ failingSince: 2 });
  expect(readCell(rowOf(...seen), 0, 4)?.timeMs).toBeCloseTo(80);
});

test('what was seen long ago is no longer told', () => {
  const row = rowOf({ lost: 12 });
  expect(readCell(row, 0, HOUR_MS)?.lost).toBeCloseTo(6, 3);
  expect(readCell(row, 0, 6 * HOUR_MS)).toBeUndefined();
});
