import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalize } from './knowledge.ts';
import { createIsKept, findLnLoads, findOdds, scoreReach, trackShares } from './score.ts';

const parts = fc
  .array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 1, maxLength: 30 })
  .map(normalize);

describe('shares of the visitors', () => {
  test('stay between 0 and 1, and sum to 1, whatever is handed out', () => {
    const visits = fc.array(fc.nat(100_000), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(parts, visits, fc.nat(10_000_000), (shares, given, passedMs) => {
        const visitsOfLines = shares.map((_, line) => (given[line] ?? 0) / 1_000);
        const tracked = trackShares(shares, visitsOfLines, passedMs);
        for (const share of tracked) expect(share >= 0 && share <= 1 + 1e-9).toBe(true);
        expect(tracked.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  test('stay as they are while nobody comes', () => {
    expect(trackShares([0.25, 0.75], [0, 0], 3_600_000)).toEqual([0.25, 0.75]);
  });
});

describe('load', () => {
  test('is nothing up to 1.4 times the part of a line, whatever its weight, and grows beyond', () => {
    fc.assert(
      fc.property(parts, fc.double({ min: 0, max: 1, noNaN: true }), (weights, part) => {
        const light = findLnLoads(
          weights.map((weight) => weight * 1.399 * part),
          weights,
        );
        expect(light.filter((lnLoad) => lnLoad !== 0)).toEqual([]);
        const heavy = findLnLoads(
          weights.map((weight) => weight * (1.41 + part)),
          weights,
        );
        const heavier = findLnLoads(
          weights.map((weight) => weight * (1.5 + part)),
          weights,
        );
        for (const [line, lnLoad] of heavy.entries()) {
          expect(lnLoad).toBeGreaterThan(0);
          expect(heavier[line]).toBeGreaterThan(lnLoad);
        }
      }),
    );
  });

  test('makes a line of twice its part look 72 times as slow', () => {
    const [lnLoad = 0] = findLnLoads([0.5, 0.5], [0.25, 0.75]);
    expect(Math.exp(lnLoad)).toBeCloseTo((2 / 1.4) ** 12);
  });
});

test('a line that half of the visitors reach counts as eight times as slow', () => {
  expect(Math.exp(scoreReach(5, 0.5) - scoreReach(5, 1))).toBeCloseTo(8);
});

test('a line that is twice as fast is 32 times as likely to be entered', () => {
  const beliefs = { reach: Float64Array.of(0.9, 0.9), lnMs: Float64Array.of(Math.log(100), Math.log(200)) };
  expect(findOdds(beliefs, 0) / findOdds(beliefs, 1)).toBeCloseTo(32);
});

describe('a visitor who comes back', () => {
  /** Which of these lines are kept, by their place. */
  function kept(times: readonly number[], shares: readonly number[] = times.map(() => 0)): readonly number[] {
    const score = times.map((ms) => scoreReach(Math.log(ms), 1));
    const lnLoads = findLnLoads(
      shares,
      times.map(() => 0.1),
    );
    const lines = [...times.keys()];
    return lines.filter(createIsKept(lines, { score, lnLoads }));
  }

  test('keeps a line that is worse than the best by 50 ms, or by a fifth if that is more', () => {
    expect(kept([100, 149.9, 150.1])).toEqual([0, 1]);
    expect(kept([250, 299.9, 300.1])).toEqual([0, 1]);
    expect(kept([1_000, 1_199, 1_201])).toEqual([0, 1]);
  });

  test('keeps no line that has 1.8 times its part of the visitors', () => {
    expect(kept([100, 110, 120], [0.15, 0.179, 0.181])).toEqual([0, 1]);
  });

  test('keeps no line that too few reach', () => {
    const score = [1, 0.9, 0.5].map((reach) => scoreReach(Math.log(100), reach));
    expect([0, 1, 2].filter(createIsKept([0, 1, 2], { score, lnLoads: [] }))).toEqual([0, 1]);
  });
});
