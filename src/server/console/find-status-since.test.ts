import { describe, expect, test } from 'vitest';
import type { MinuteVisitor } from '../measurements/history.ts';
import { findStatusSince } from './find-status-since.ts';
import type { LineVerdict } from './judge-line.ts';

const MINUTE_MS = 60_000;
const NOW = 100 * MINUTE_MS;

/** The minutes up to now, oldest first: tried and reached of each. */
function find(verdict: LineVerdict, minutes: readonly [number, number][], probeSince?: number) {
  const walkBack = (_id: string, _now: number, visit: MinuteVisitor): void => {
    for (const [index, [tried, reached]] of minutes.toReversed().entries()) {
      if (tried > 0 && !visit(100 - index, { tried, reached })) return;
    }
  };
  const probe = probeSince === undefined ? undefined : { since: probeSince };
  const since = findStatusSince('line-1', verdict, { history: { walkBack }, probe, now: NOW });
  return since === undefined ? undefined : since / MINUTE_MS;
}

const UP: LineVerdict = { status: 'up', judgedBy: 'visitors' };
const DEGRADED: LineVerdict = { status: 'degraded', judgedBy: 'visitors' };

describe('since when a line has its state', () => {
  test('trouble began with the first bad minute of those in a row', () => {
    expect(
      find(DEGRADED, [
        [10, 2],
        [10, 10],
        [10, 5],
        [10, 0],
        [10, 3],
      ]),
    ).toBe(98);
  });

  test('minutes in which hardly anybody came are judged with those before, and a good one of just now does not end it', () => {
    expect(
      find(DEGRADED, [
        [10, 10],
        [10, 5],
        [1, 1],
        [0, 0],
        [10, 3],
        [10, 10],
      ]),
    ).toBe(96);
  });

  test('a line is up since the end of the last trouble, or since it is known', () => {
    expect(
      find(UP, [
        [10, 2],
        [10, 10],
        [10, 10],
      ]),
    ).toBe(99);
    expect(
      find(UP, [
        [10, 10],
        [10, 10],
      ]),
    ).toBe(99);
    expect(find(UP, [[10, 10]], 50 * MINUTE_MS)).toBe(50);
  });

  test('what the probe has judged is as old as the probe says', () => {
    expect(find({ status: 'down', judgedBy: 'probe' }, [[10, 10]], 97 * MINUTE_MS)).toBe(97);
    expect(find({ status: 'unknown', judgedBy: null }, [], 97 * MINUTE_MS)).toBeUndefined();
  });
});
