import { describe, expect, test } from 'vitest';
import type { Observation } from './counts.ts';
import { type View, createView, foldView, sumVotes } from './view.ts';

const LOST_BY_ALL: Observation = { reached: 0, failed: 3, times: 0, sumLnMs: 0, lost: 3 };

/** What is known of a line after folds of what one voter saw, a second apart. */
function foldAll(folds: readonly Observation[]): Observation {
  const view = createView(0);
  for (const [index, seen] of folds.entries()) {
    foldView(view, new Map([[0, new Map([['line', seen]])]]), {
      cap: 12,
      at: (index + 1) * 1_000,
      keepsOld: true,
    });
  }
  return sumVotes(view, 'line', view.at);
}

test('what was lost is remembered as what was reached is: up to a cap', () => {
  expect(foldAll(Array.from({ length: 40 }, () => LOST_BY_ALL)).lost).toBeCloseTo(12, 3);
  expect(foldAll([{ reached: 10, failed: 30, times: 10, sumLnMs: 40, lost: 30 }]).lost).toBe(9);
});

describe('the word of one voter', () => {
  const AREA = { cap: 1, keepsOld: true };
  const one = (counts: Partial<Observation>): Observation => ({
    reached: 0,
    failed: 0,
    lost: 0,
    times: counts.reached ?? 0,
    sumLnMs: 0,
    ...counts,
  });

  const foldVoter = (view: View, voter: number, counts: Partial<Observation>, at: number): void =>
    foldView(view, new Map([[voter, new Map([['line', one(counts)]])]]), { ...AREA, at });

  test('weighs one observation, however often it is said', () => {
    const view = createView(0);
    for (let fold = 1; fold <= 50; fold += 1) foldVoter(view, 7, { failed: 10, lost: 10 }, fold);
    expect(sumVotes(view, 'line', view.at).reached).toBe(0);
    expect(sumVotes(view, 'line', view.at).failed).toBeCloseTo(1);
  });

  test('is one beside those of all others', () => {
    const view = createView(0);
    for (let voter = 0; voter < 9; voter += 1) foldVoter(view, voter, { reached: 1, sumLnMs: 5 }, 1);
    foldVoter(view, 9, { failed: 10, lost: 10 }, 2);
    expect(sumVotes(view, 'line', view.at).reached).toBeCloseTo(9);
    expect(sumVotes(view, 'line', view.at).failed).toBeCloseTo(1);
  });

  test('changes as soon as it says something else', () => {
    const view = createView(0);
    foldVoter(view, 0, { reached: 5, sumLnMs: 25 }, 1);
    foldVoter(view, 0, { failed: 1, lost: 1 }, 2);
    expect(sumVotes(view, 'line', view.at)).toMatchObject({ reached: 0, failed: 1 });
  });
});
