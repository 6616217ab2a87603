import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FieldForm, parseFieldText, splitList, writeFieldText } from './field-values.ts';
import { readLocalMoment, readPeriod, writeLocalMoment } from './moments.ts';

const form = (kind: FieldForm['kind'], isRequired = false): FieldForm => ({
  kind,
  isRequired,
  timeZone: 'Asia/Singapore',
});

test.each([
  ['text', 'a text'],
  ['number', 18],
  ['switch', true],
  ['texts', ['GB', 'US']],
  ['numbers', [9900, 5569]],
  ['moment', '2026-12-01T08:00+08:00'],
] as const)('a value of the kind %s is shown, and read again as it was', (kind, value) => {
  const parsed = parseFieldText(writeFieldText(value, form(kind)), form(kind));
  expect(parsed).toEqual({ kind: 'value', value });
});

test('an empty field means no value, unless there must be one', () => {
  expect(parseFieldText(' ', form('text'))).toEqual({ kind: 'value', value: undefined });
  expect(parseFieldText(' ', form('text', true))).toEqual({ kind: 'value', value: '' });
  expect(parseFieldText('', form('texts', true))).toEqual({ kind: 'value', value: [] });
});

test('what is no number and no moment is said, and not sent', () => {
  expect(parseFieldText('eighteen', form('number'))).toEqual({ kind: 'noNumber' });
  expect(parseFieldText('', form('number', true))).toEqual({ kind: 'noNumber' });
  expect(parseFieldText('80, x', form('numbers'))).toEqual({ kind: 'noNumber' });
  expect(parseFieldText('tomorrow', form('moment'))).toEqual({ kind: 'noMoment' });
});

test('a list may have lines, commas, and Chinese commas', () => {
  expect(splitList(' a\n\nb, c，d；e ')).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('what a field cannot show as it is, it shows as JSON', () => {
  expect(writeFieldText({ a: 1 }, form('text'))).toBe('{"a":1}');
});

test.each(['Asia/Singapore', 'America/New_York', 'Asia/Kathmandu', 'UTC', 'Europe/London'])(
  'in %s, a moment is the same after it was shown and read again',
  (timeZone) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (minutes) => {
        const time = Math.floor(minutes / 60) * 60_000;
        const local = writeLocalMoment(new Date(time).toISOString(), timeZone);
        const moment = readLocalMoment(local, timeZone) ?? '';
        // In the hour that a clock shows twice, either is right.
        expect(Math.abs(Date.parse(moment) - time) % 3_600_000).toBe(0);
        expect(writeLocalMoment(moment, timeZone)).toBe(local);
      }),
    );
  },
);

test('the distance to UTC is that of the day, also in summer', () => {
  expect(readLocalMoment('2026-07-01T12:00', 'America/New_York')).toBe('2026-07-01T12:00-04:00');
  expect(readLocalMoment('2026-12-01T12:00', 'America/New_York')).toBe('2026-12-01T12:00-05:00');
});

test('a period may have no beginning and no end, but not a time that is none', () => {
  const period = (from: string, until: string) => readPeriod({ from, until }, 'UTC');
  expect(period('2026-12-01T08:00', '')).toEqual({ from: '2026-12-01T08:00+00:00' });
  expect(period('', '2026-12-02T08:00')).toEqual({ until: '2026-12-02T08:00+00:00' });
  expect(period('', '')).toEqual({});
  expect(period('tomorrow', '')).toBeUndefined();
  expect(period('', 'tomorrow')).toBeUndefined();
});
