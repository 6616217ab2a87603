import { describe, expect, test } from 'vitest';
import { formatCount, formatMs, formatPart, formatPercent } from './format-number.ts';

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

  test('that are nearly nothing or nearly all say so', () => {
    expect(formatPart(1_999, 2_000)).toBe('99.9 %');
    expect([0, 0.000_4, 0.004, 0.25, 0.996, 0.999_9, 1].map(formatPercent)).toEqual([
      '0 %',
      '< 0.1 %',
      '0.4 %',
      '25 %',
      '99.6 %',
      '> 99.9 %',
      '100 %',
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
