import { expect, test } from 'vitest';
import type { Observation } from '../../learning/counts.ts';
import { type View, createView, foldView } from '../../learning/view.ts';
import { type Cell, findMeanMs, readCell as readCellOf } from './read-cell.ts';

const HOUR_MS = 3_600_000;
const readCell = (view: View, at: number): Cell | undefined => readCellOf(view, 'line', at);

function viewOf(...folds: readonly Partial<Observation>[]) {
  return viewWithCap(12, folds);
}

function viewWithCap(cap: number, folds: readonly Partial<Observation>[]) {
  const view = createView(0);
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
    foldView(view, new Map([[0, new Map([['line', counts]])]]), { cap, at: index + 1, keepsOld: true });
  }
  return view;
}

test('a line of which nothing was seen has no cell, and neither has one that was only left open', () => {
  expect(readCell(createView(0), 0)).toBeUndefined();
  expect(readCell(viewOf({ failed: 3 }), 1)).toBeUndefined();
});

test('the failure of one visitor is not the network’s; that of two is', () => {
  expect(readCell(viewOf({ lost: 1 }), 1)).toMatchObject({ lost: 1, failingSince: undefined });
  expect(readCell(viewOf({ lost: 1 }, { lost: 1 }), 2)).toMatchObject({ failingSince: 2 });
  expect(readCell(viewOf({ lost: 2 }), 1)).toMatchObject({ failingSince: 1 });
});

test('two failures of one prefix are the network’s, although its word weighs no more than one', () => {
  expect(readCell(viewWithCap(1, [{ lost: 1 }]), 1)?.failingSince).toBeUndefined();
  expect(readCell(viewWithCap(1, [{ lost: 2 }]), 1)).toMatchObject({ lost: 1, failingSince: 1 });
  expect(readCell(viewWithCap(1, [{ lost: 1 }, { lost: 1 }]), 2)).toMatchObject({
    lost: 1,
    failingSince: 2,
  });
});

test('a line fails when more have lost it than reached it, and no sooner', () => {
  const reached = { reached: 12, sumLnMs: 12 * Math.log(80) };
  const seen = [reached, { lost: 3 }, { lost: 3 }, { lost: 3 }];
  expect(readCell(viewOf(...seen.slice(0, 2)), 2)?.failingSince).toBeUndefined();
  expect(readCell(viewOf(...seen), 4)).toMatchObject({ failingSince: 2 });
  expect(findMeanMs(readCell(viewOf(...seen), 4) as Cell)).toBe(80);
});

test('what was seen long ago is no longer told', () => {
  const view = viewOf({ lost: 12 });
  expect(readCell(view, HOUR_MS)?.lost).toBeCloseTo(6, 3);
  expect(readCell(view, 6 * HOUR_MS)).toBeUndefined();
});
