import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SpeedText } from '../../../engine/board/describe-speed.ts';
import { fillOf, gradeSpeed } from './grade-speed.ts';

describe('gradeSpeed', () => {
  test.each<[SpeedText, string]>([
    [{ key: 'testing' }, 'pending'],
    [{ key: 'estimate', ms: 12 }, 'pending'],
    [{ key: 'measured', ms: 200 }, 'fast'],
    [{ key: 'measured', ms: 201 }, 'fair'],
    [{ key: 'measured', ms: 601 }, 'slow'],
    [{ key: 'aboveFiveSeconds' }, 'failed'],
    [{ key: 'aboveTwentySeconds' }, 'failed'],
  ])('calls %j %s', (speed, grade) => {
    expect(gradeSpeed(speed)).toBe(grade);
  });
});

describe('fillOf', () => {
  test('stays between an empty and a full bar, and never fills more for a slower line', () => {
    const time = fc.integer({ min: 1, max: 5_000 });
    fc.assert(
      fc.property(time, time, (one, other) => {
        expect(fillOf(one)).toBeGreaterThan(0);
        expect(fillOf(one)).toBeLessThanOrEqual(1);
        expect(fillOf(Math.max(one, other))).toBeLessThanOrEqual(fillOf(Math.min(one, other)));
      }),
    );
  });
});
