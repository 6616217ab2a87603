import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeSpeed } from './describe-speed.ts';

describe('describeSpeed', () => {
  test.each([
    ['nothing measured, loading', { timeMs: 0, isLoading: true, elapsedMs: 400 }, { key: 'testing' }],
    ['measured, loading', { timeMs: 38, isLoading: true, elapsedMs: 38 }, { key: 'measured', ms: 38 }],
    ['measured', { timeMs: 38, isLoading: false, elapsedMs: 9_000 }, { key: 'measured', ms: 38 }],
    ['failed', { timeMs: 99_999, isLoading: false, elapsedMs: 0 }, { key: 'aboveFiveSeconds' }],
    ['failed, loading', { timeMs: 99_999, isLoading: true, elapsedMs: 0 }, { key: 'aboveFiveSeconds' }],
    ['not yet measured', { timeMs: 0, isLoading: false, elapsedMs: 1_512.4 }, { key: 'estimate', ms: 1_512 }],
    ['just begun', { timeMs: 0, isLoading: false, elapsedMs: 0 }, { key: 'estimate', ms: 1 }],
    [
      'just short of 20 s',
      { timeMs: 0, isLoading: false, elapsedMs: 19_999 },
      { key: 'estimate', ms: 19_999 },
    ],
    [
      'unmeasured for 20 s',
      { timeMs: 0, isLoading: false, elapsedMs: 20_000 },
      { key: 'aboveTwentySeconds' },
    ],
  ])('%s', (_, state, text) => {
    expect(describeSpeed(state)).toEqual(text);
  });

  test('has a text for every state, and never shows a number below 1', () => {
    const state = fc.record({
      timeMs: fc.nat(99_999),
      isLoading: fc.boolean(),
      elapsedMs: fc.float({ min: 0, noNaN: true }),
    });
    fc.assert(
      fc.property(state, (given) => {
        const text = describeSpeed(given);
        expect(text.key).not.toBe('');
        if ('ms' in text) expect(text.ms).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
