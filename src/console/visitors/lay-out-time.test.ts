import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts';
import { layOutTime } from './lay-out-time.ts';

const MIDNIGHT = Date.UTC(2026, 10, 17);

test('an hour without visits keeps its place, and so do those to come', () => {
  const { slots, ticks, times, slotOf } = layOutTime({
    from: MIDNIGHT,
    at: MIDNIGHT + 2.5 * HOUR_MS,
    pointMs: HOUR_MS,
  });
  expect(slots).toBe(24);
  expect(slotOf(MIDNIGHT + 2 * HOUR_MS)).toBe(2);
  expect(times.map((time) => (time - MIDNIGHT) / HOUR_MS)).toEqual([0, 1, 2]);
  expect(ticks.map((tick) => (tick - MIDNIGHT) / HOUR_MS)).toEqual([0, 4, 8, 12, 16, 20]);
});

test.each([
  [7, HOUR_MS, 168, 24],
  [30, DAY_MS, 30, 5],
])('%d days have labels at a readable distance', (days, pointMs, slots, slotsPerTick) => {
  const layout = layOutTime({
    from: MIDNIGHT,
    at: MIDNIGHT + (days - 1) * DAY_MS + HOUR_MS,
    pointMs,
  });
  expect(layout).toMatchObject({ slots, slotsPerTick });
});

test('a day that begins has room for all of its hours', () => {
  expect(layOutTime({ from: MIDNIGHT, at: MIDNIGHT, pointMs: HOUR_MS }).slots).toBe(24);
});
