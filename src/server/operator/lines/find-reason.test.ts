import { describe, expect, test } from 'vitest';
import type { LineScore } from '../../learning/create-offers.ts';
import { type PickFacts, findReason } from './find-reason.ts';

function scoreOf(parts: Partial<LineScore> = {}): LineScore {
  const { reach = 1, timeMs = 100, loadFactor = 1 } = parts;
  return {
    id: '',
    isUp: true,
    isLastResort: false,
    reach,
    timeMs,
    loadFactor,
    effectiveMs: timeMs * reach ** -3 * loadFactor,
    isKept: false,
    ...parts,
  };
}

/** The reason for one line beside nine good ones. */
function reasonOf(parts: Partial<LineScore>, chance: number, facts: Partial<PickFacts> = {}): string {
  const scores = [scoreOf(parts), ...Array.from({ length: 9 }, () => scoreOf())];
  return findReason({
    scores,
    chances: [chance],
    exclusions: new Map(),
    line: 0,
    mode: 'measured',
    ...facts,
  });
}

describe('the reason why a line is handed out, or not', () => {
  test('is that it is down, where the server sees it so', () => {
    expect(reasonOf({ isUp: false }, 0)).toBe('down');
    expect(reasonOf({ isUp: false }, 1)).toBe('reached-though-down');
    expect(reasonOf({ isUp: false, isLastResort: true }, 1)).toBe('all-down');
  });

  test('is that there are no more than four', () => {
    const two = { scores: [scoreOf(), scoreOf()], chances: [1, 1], exclusions: new Map() };
    expect(findReason({ ...two, line: 0, mode: 'measured' })).toBe('all');
  });

  test('is that a visitor may not have it, and the others are compared without it', () => {
    const exclusions = new Map(Array.from({ length: 6 }, (_, line) => [line + 1, 'maintenance'] as const));
    expect(reasonOf({}, 0, { exclusions: new Map([[0, 'maintenance']]) })).toBe('maintenance');
    expect(reasonOf({ isUp: false }, 0, { exclusions: new Map([[0, 'maintenance']]) })).toBe('maintenance');
    // Four of ten are left.
    expect(reasonOf({}, 1, { exclusions })).toBe('all');
  });

  test('is the draw, where nothing is measured', () => {
    expect(reasonOf({}, 0.4, { mode: 'uniform' })).toBe('uniform');
  });

  test('is how good it is', () => {
    expect(reasonOf({}, 0.9)).toBe('best');
    expect(reasonOf({}, 0.4)).toBe('turns');
  });

  test('is that it is one of the three best for three lines, however many are handed out as often', () => {
    const scores = [104, 101, 103, 102, 100, 300].map((timeMs) => scoreOf({ timeMs }));
    const reasons = scores.map((_, line) =>
      findReason({
        scores,
        chances: scores.map(() => 0.6),
        exclusions: new Map([[4, 'maintenance']]),
        line,
        mode: 'measured',
      }),
    );
    expect(reasons).toEqual(['turns', 'best', 'best', 'best', 'maintenance', 'turns']);
  });

  test('is what sets it back most', () => {
    expect(reasonOf({ timeMs: 900 }, 0.1)).toBe('slower');
    expect(reasonOf({ timeMs: 120, reach: 0.3 }, 0.1)).toBe('less-reached');
    expect(reasonOf({ loadFactor: 5 }, 0.1)).toBe('loaded');
  });
});
