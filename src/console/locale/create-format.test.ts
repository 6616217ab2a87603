import { describe, expect, test } from 'vitest';
import { createFormat, findOffsetMs, nameZone } from './create-format.ts';

const ENGLISH = { tag: 'en-GB', timeZone: 'Asia/Singapore' };
const english = createFormat(ENGLISH);
const american = createFormat({ tag: 'en-US', timeZone: 'America/New_York' });
const chinese = createFormat({ tag: 'zh-CN', timeZone: 'Asia/Shanghai' });
const inUtc = createFormat({ tag: 'en-GB', timeZone: 'UTC' });

describe('numbers', () => {
  const { count, ms, part, percent } = english;

  test('that are not known are no zeros', () => {
    expect([count(null), ms(null), part(null, 5), part(0, 0)]).toEqual(['–', '–', '–', '–']);
    expect([count(0), part(0, 5)]).toEqual(['0', '0.0%']);
  });

  test('that are nearly all are not all', () => {
    expect([part(9_999, 10_000), part(1_999, 2_000), part(10_000, 10_000), part(947, 1_000)]).toEqual([
      '99.9%',
      '99.9%',
      '100%',
      '94.7%',
    ]);
  });

  test('that are nearly nothing or nearly all say so', () => {
    expect([0, 0.000_4, 0.004, 0.25, 0.996, 0.999_9, 1].map(percent)).toEqual([
      '0%',
      '< 0.1%',
      '0.4%',
      '25%',
      '99.6%',
      '> 99.9%',
      '100%',
    ]);
  });

  test('have their unit', () => {
    expect([ms(1_234), ms(12_340), count(12_345)]).toEqual(['1,234 ms', '12.3 s', '12,345']);
    expect([english.factor(1.234), english.factor(12.34), english.fadedCount(0.4)]).toEqual([
      '1.23',
      '12',
      '1',
    ]);
    expect([0, 1, 40_000, 999_900_000, 4_960_000_000].map(english.bytes)).toEqual([
      '0 kB',
      '1 kB',
      '40 kB',
      '999.9 MB',
      '5.0 GB',
    ]);
  });
});

describe('times', () => {
  const noon = Date.UTC(2026, 10, 15, 4);

  test('are those of the zone, and name the day if that is not today there', () => {
    const clocks = [english, chinese, inUtc, american].map(({ clock }) => [
      clock(noon - 60_000, noon),
      clock(noon - 86_400_000, noon),
    ]);
    expect(clocks).toEqual([
      ['11:59', '14 Nov, 12:00'],
      ['11:59', '11月14日 12:00'],
      ['03:59', '14 Nov, 04:00'],
      // It is still the evening before.
      ['22:59', 'Nov 13, 23:00'],
    ]);
    const midnight = Date.UTC(2026, 10, 14, 16);
    expect(english.clock(midnight - 60_000, midnight)).toBe('14 Nov, 23:59');
    expect(inUtc.clock(midnight - 60_000, midnight)).toBe('15:59');
  });

  test('have a day of UTC, whatever the zone', () => {
    const lateInUtc = Date.UTC(2026, 10, 15, 23, 59);
    expect([english, chinese, american].map(({ utcDay }) => utcDay(lateInUtc))).toEqual([
      '15 Nov',
      '11月15日',
      'Nov 15',
    ]);
  });

  test('have their date, zone and age in the tooltip', () => {
    const at = noon - 3 * 60_000;
    expect([english, chinese, inUtc].map(({ exactTime }) => exactTime(at, noon))).toEqual([
      expect.stringMatching(/^Sunday,? 15 November 2026 at 11:57:00 (?:GMT\+8|SGT) \(3 minutes ago\)$/),
      '2026年11月15日星期日 GMT+8 11:57:00 (3分钟前)',
      expect.stringMatching(/^Sunday,? 15 November 2026 at 03:57:00 (?:UTC|GMT) \(3 minutes ago\)$/),
    ]);
  });

  test('have an age in one unit', () => {
    const ages = [30_000, 59 * 60_000, 3 * 3_600_000, 50 * 3_600_000].map(
      (age) => /\((.*)\)/.exec(english.exactTime(noon - age, noon))?.[1],
    );
    expect(ages).toEqual(['now', '59 minutes ago', '3 hours ago', '2 days ago']);
  });

  test('say how far ahead they are, such as the end of a token', () => {
    const distances = [30_000, 59 * 60_000, 3 * 3_600_000, 90 * 86_400_000].map(
      (aheadMs) => /\((.*)\)/.exec(english.exactTime(noon + aheadMs, noon))?.[1],
    );
    expect(distances).toEqual(['now', 'in 59 minutes', 'in 3 hours', 'in 90 days']);
  });

  test('have a zone that is named by its distance to UTC', () => {
    expect(nameZone(ENGLISH, noon)).toBe('GMT+8');
    expect(nameZone({ tag: 'zh-CN', timeZone: 'America/New_York' }, noon)).toBe('GMT-5');
  });

  test.each([
    ['Asia/Singapore', '2026-12-01', 28_800_000],
    ['UTC', '2026-12-01', 0],
    ['Asia/Kolkata', '2026-12-01', 19_800_000],
    ['America/New_York', '2026-07-01', -14_400_000],
    ['America/New_York', '2026-12-01', -18_000_000],
  ])('have a zone: the clocks of %s on %s are %i ms ahead of UTC', (timeZone, day, offsetMs) => {
    expect(findOffsetMs(timeZone, Date.parse(day))).toBe(offsetMs);
  });
});
