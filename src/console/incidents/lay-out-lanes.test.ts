import { expect, test } from 'vitest';
import type { Incident } from '../../contract/incidents.ts';
import { findOffsetMs } from '../locale/create-format.ts';
import { layOutLanes, listTicks } from './lay-out-lanes.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 18, 20, 30);
const make = (subject: string, fromHours: number, toHours: number | null, more: Partial<Incident> = {}) =>
  ({
    kind: 'line-down',
    severity: 'high',
    subject,
    startedAt: NOW - fromHours * HOUR_MS,
    endedAt: toHours === null ? null : NOW - toHours * HOUR_MS,
    ...more,
  }) as Incident; // Nothing else of an incident decides its place.

test('each thing has a lane: what lasts first, then the most severe, with its bars in their order', () => {
  const lanes = layOutLanes(
    [
      make('b', 2, 1),
      make('a', 6, null, { severity: 'low' }),
      make('b', 12, 9),
      make('', 3, 2, { kind: 'visitors-lost', severity: 'critical' }),
      make('old', 30, 25),
    ],
    { now: NOW, span: '24h' },
  );
  expect(lanes.map(({ key, bars }) => [key, bars.map(({ from, to }) => [from, to])])).toEqual([
    ['a', [[0.75, 1]]],
    ['visitors-lost', [[0.875, 22 / 24]]],
    [
      'b',
      [
        [0.5, 0.625],
        [22 / 24, 23 / 24],
      ],
    ],
  ]);
});

test('a bar that began before its lane is cut', () => {
  const [lane] = layOutLanes([make('a', 30, 12)], { now: NOW, span: '24h' });
  expect(lane?.bars[0]).toMatchObject({ from: 0, to: 0.5, isCut: true });
  expect(layOutLanes([make('a', 30, 12)], { now: NOW, span: '7d' })[0]?.bars[0]?.isCut).toBe(false);
});

test('the axis has full hours and days of the zone that is shown', () => {
  const inSingapore = { now: NOW, findOffsetMs: () => 8 * HOUR_MS };
  const hours = listTicks({ ...inSingapore, span: '24h' });
  expect(hours.map(({ at }) => new Date(at).toISOString().slice(8, 16))).toEqual([
    '18T00:00',
    '18T04:00',
    '18T08:00',
    '18T12:00',
    '18T16:00',
    '18T20:00',
  ]);
  expect(hours.at(-1)?.place).toBeCloseTo(1 - 0.5 / 24);
  const days = listTicks({ ...inSingapore, span: '7d' });
  expect(days).toHaveLength(7);
  expect(days.every(({ at }) => new Date(at).getUTCHours() === 16)).toBe(true);
});

test('each day of the axis begins at its own midnight, also before the clocks were changed', () => {
  // In Berlin, clocks went from UTC+1 to UTC+2 on 29 March 2026 at 01:00 UTC.
  const now = Date.UTC(2026, 2, 31, 10);
  const days = listTicks({ now, span: '7d', findOffsetMs: (at) => findOffsetMs('Europe/Berlin', at) });
  expect(days.map(({ at }) => new Date(at).toISOString().slice(5, 16))).toEqual([
    '03-24T23:00',
    '03-25T23:00',
    '03-26T23:00',
    '03-27T23:00',
    '03-28T23:00',
    '03-29T22:00',
    '03-30T22:00',
  ]);
});
