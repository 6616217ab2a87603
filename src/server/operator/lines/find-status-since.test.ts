import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MinuteVisitor } from '../../learning/create-minute-ring.ts';
import { findStatusSince } from './find-status-since.ts';
import type { LineVerdict } from './judge-line.ts';

const MINUTE_MS = 60_000;
const NOW = 100.5 * MINUTE_MS;

/** The minutes up to now, oldest first: tried and reached of each. */
function find(
  verdict: LineVerdict,
  minutes: readonly [number, number][],
  probeSince?: number,
  { recoveredAt, startedAt = 0 }: { recoveredAt?: number; startedAt?: number } = {},
) {
  const walkBack = (_id: string, _now: number, visit: MinuteVisitor): void => {
    for (const [index, [tried, reached]] of minutes.toReversed().entries()) {
      if (tried > 0 && !visit(100 - index, { tried, reached })) return;
    }
  };
  const probe = probeSince === undefined ? undefined : { since: probeSince, recoveredAt };
  const since = findStatusSince('line-1', verdict, { history: { walkBack }, probe, startedAt, now: NOW });
  return since === undefined ? undefined : since / MINUTE_MS;
}

const UP: LineVerdict = { status: 'up', judgedBy: 'visitors' };
const DOWN: LineVerdict = { status: 'down', judgedBy: 'visitors' };
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

  test('minutes in which hardly anybody came are judged with those before', () => {
    expect(
      find(DEGRADED, [
        [10, 10],
        [10, 5],
        [1, 1],
        [0, 0],
        [10, 3],
      ]),
    ).toBe(97);
  });

  test('it went down with the first minute in which nobody reached it', () => {
    expect(
      find(DOWN, [
        [20, 18],
        [3, 0],
        [3, 0],
      ]),
    ).toBe(99);
  });

  test('trouble at low traffic is no older than the tries that are judged together', () => {
    const quiet = Array.from({ length: 60 }, (): [number, number] => [0, 0]);
    const now: [number, number][] = [[10, 2]];
    expect(find(DEGRADED, [[9, 1], ...quiet, ...now])).toBe(100);
    expect(find(DOWN, [[9, 0], ...quiet, [5, 0]])).toBe(100);
  });

  test('what was before the server saw the line come back does not count', () => {
    const minutes: [number, number][] = [
      [20, 0],
      [20, 0],
      [20, 0],
    ];
    expect(find(DOWN, minutes)).toBe(98);
    expect(find(DOWN, minutes, 99 * MINUTE_MS, { recoveredAt: 99 * MINUTE_MS })).toBe(99);
  });

  test('it is not before the server started, where nothing older is known', () => {
    expect(find(DOWN, [[9, 0]], undefined, { startedAt: 100.25 * MINUTE_MS })).toBe(100.25);
    expect(find(UP, [[9, 9]], undefined, { startedAt: 100.25 * MINUTE_MS })).toBe(100.25);
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

test('it is never before the first observation, nor in the future, whatever was seen', () => {
  const minute = fc
    .tuple(fc.nat(30), fc.nat(30))
    .map(([lost, reached]): [number, number] => [lost + reached, reached]);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(minute, fc.constant<[number, number]>([0, 0])), { minLength: 1, maxLength: 30 }),
      fc.constantFrom(UP, DOWN, DEGRADED),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (minutes, verdict, part) => {
        // The server starts within the first minute of which anything is known.
        const first = minutes.findIndex(([tried]) => tried > 0);
        const startedMinute = 100 - (minutes.length - 1) + Math.max(0, first) + part;
        const startedAt = Math.min(startedMinute * MINUTE_MS, NOW);
        const since = find(verdict, minutes, undefined, { startedAt });
        if (since === undefined) return;
        expect(since).toBeGreaterThanOrEqual(startedAt / MINUTE_MS);
        expect(since).toBeLessThanOrEqual(NOW / MINUTE_MS);
      },
    ),
  );
});
