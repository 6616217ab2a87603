import { expect, test } from 'vitest';
import { type ConsoleChange, isKept } from '../../contract/moments.ts';
import { createFormat } from '../locale/create-format.ts';
import {
  findEnd,
  findNeighbours,
  findWindow,
  listGaps,
  listMarks,
  listRecent,
  listTicks,
  moveByKey,
} from './lay-out-bar.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const minutes = (count: number): number => NOON + count * MINUTE_MS;

test('the bar ends with now, and goes back by whole days', () => {
  const end = findEnd(minutes(3));
  expect(end).toBe(minutes(5));
  expect(findWindow(undefined, end)).toEqual({ start: end - DAY_MS, end });
  expect(findWindow(end - DAY_MS + 300_000, end)).toEqual({ start: end - DAY_MS, end });
  expect(findWindow(end - DAY_MS, end)).toEqual({ start: end - DAY_MS, end });
  const before = { start: end - 2 * DAY_MS, end: end - DAY_MS - 300_000 };
  for (const at of [before.end, before.start]) expect(findWindow(at, end)).toEqual(before);
});

test('a gap is what no stretch covers, and the step that is running is none', () => {
  const kept = [
    [minutes(-60), minutes(-30)],
    [minutes(-10), minutes(-5)],
  ] as const;
  const window = { start: minutes(-100), end: minutes(5) };
  expect(listGaps({ kept, at: minutes(3) }, window)).toEqual([
    { from: minutes(-100), to: minutes(-60) },
    { from: minutes(-25), to: minutes(-10) },
  ]);
  expect([minutes(-60), minutes(-30), minutes(-25)].map((at) => isKept({ kept }, at))).toEqual([
    true,
    true,
    false,
  ]);
  const later = { start: minutes(-20), end: minutes(-15) };
  expect(listGaps({ kept, at: minutes(3) }, later)).toEqual([{ from: minutes(-20), to: minutes(-15) }]);
  expect(listGaps({ kept: [], at: minutes(3) }, later)).toEqual([{ from: minutes(-20), to: minutes(-15) }]);
});

const line = (at: number, status: 'up' | 'down'): ConsoleChange => ({
  kind: 'line',
  at,
  id: 'a',
  host: 'line1.example',
  status,
});
const CHANGES: readonly ConsoleChange[] = [
  { kind: 'told', at: minutes(-58), severity: 'high', names: { en: '', 'zh-CN': '' }, channel: 'pager' },
  line(minutes(-57), 'down'),
  { kind: 'published', at: minutes(-31), hash: 'abc' },
  line(minutes(-30), 'up'),
];

test('the marks are by the first moment that shows a change, with the shape of the most important one', () => {
  const window = { start: minutes(-90), end: minutes(0) };
  expect(listMarks(CHANGES, window).map(({ at, kind }) => [at, kind])).toEqual([
    [minutes(-55), 'trouble'],
    [minutes(-30), 'published'],
  ]);
  expect(listMarks(CHANGES, { start: minutes(-25), end: minutes(0) })).toEqual([]);
});

test('beside a moment is what changed in the hour before it, and the ways to the next ones', () => {
  expect(listRecent(CHANGES, minutes(-30)).map(({ at }) => at)).toEqual([-30, -31, -57, -58].map(minutes));
  expect(listRecent(CHANGES, minutes(-60))).toEqual([]);
  expect(listRecent(CHANGES, minutes(2)).map(({ at }) => at)).toEqual([-30, -31, -57].map(minutes));
  expect(findNeighbours(CHANGES, minutes(-40))).toEqual({ before: minutes(-55), after: minutes(-30) });
  expect(findNeighbours(CHANGES, minutes(-30))).toEqual({ before: minutes(-55), after: undefined });
});

test('labels stand at every third whole hour of a clock, also where that is no whole hour of UTC', () => {
  const kathmandu = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Kathmandu',
    hour: '2-digit',
    minute: '2-digit',
  });
  const ticks = listTicks({ start: NOON, end: NOON + DAY_MS }, (time) => kathmandu.format(time));
  expect(ticks.map(({ text }) => text)).toEqual(
    ['18', '21', '00', '03', '06', '09', '12', '15'].map((hour) => `${hour}:00`),
  );
  expect(ticks[0]?.at).toBe(Date.UTC(2026, 0, 5, 12, 15));
  expect(ticks.filter(({ isMain }) => isMain)).toHaveLength(4);
});

test('a clock that is written with a full stop has its labels, too', () => {
  const { hour } = createFormat({ tag: 'en-DK', timeZone: 'UTC' });
  const ticks = listTicks({ start: NOON, end: NOON + DAY_MS / 2 }, hour);
  expect(ticks.map(({ text }) => text)).toEqual(['12.00', '15.00', '18.00', '21.00', '00.00']);
});

test('keys go by five minutes, by an hour, and to the ends', () => {
  const window = { start: minutes(-600), end: minutes(600) };
  const moves = ['ArrowLeft', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'a'];
  expect(moves.map((key) => moveByKey(key, NOON, window))).toEqual([
    ...[-5, 5, -5, 5, -60, 60, -600, 600].map(minutes),
    undefined,
  ]);
});
