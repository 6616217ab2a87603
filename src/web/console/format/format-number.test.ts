import { describe, expect, test } from 'vitest';
import { formatCount, formatMs, formatPart } from './format-number.ts';

describe('numbers', () => {
  test('that are not known are no zeros', () => {
    expect([formatCount(null), formatMs(null), formatPart(null, 5), formatPart(0, 0)]).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
    expect([formatCount(0), formatPart(0, 5)]).toEqual(['0', '0.0 %']);
  });

  test('that are nearly all are not all', () => {
    expect([formatPart(9_999, 10_000), formatPart(10_000, 10_000), formatPart(947, 1_000)]).toEqual([
      '99.9 %',
      '100 %',
      '94.7 %',
    ]);
  });

  test('have their unit', () => {
    expect([formatMs(1_234), formatMs(12_340), formatCount(12_345)]).toEqual([
      '1,234 ms',
      '12.3 s',
      '12,345',
    ]);
  });
});
