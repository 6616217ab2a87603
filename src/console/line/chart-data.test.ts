import { describe, expect, test } from 'vitest';
import type { ConsoleHistory } from '../../contract/console.ts';
import { findSpan, frameSpan, hasValues, listBands, listParts, listTimes } from './chart-data.ts';

const MINUTE_MS = 60_000;
const NOW_MINUTE = 100_010;
const NOW = NOW_MINUTE * MINUTE_MS;

function historyOf(
  minutes: Readonly<Record<number, { tried: number; reached: number; p50: number | null }>>,
) {
  const steps = Object.values(minutes);
  const history: ConsoleHistory = {
    minute: Object.keys(minutes).map(Number),
    handedOut: steps.map(() => 1),
    visitors: steps.map(() => 4),
    tried: steps.map(({ tried }) => tried),
    reached: steps.map(({ reached }) => reached),
    p50: steps.map(({ p50 }) => p50),
    p95: steps.map(({ p50 }) => p50 && p50 * 2),
  };
  return history;
}

/** A history that begins this many minutes ago. */
function beginning(minutesAgo: number): ConsoleHistory {
  return historyOf({ [NOW_MINUTE - minutesAgo]: { tried: 1, reached: 1, p50: 80 } });
}

describe('the span of the charts', () => {
  test('is the shortest that shows all the data', () => {
    expect([0, 60, 61, 360, 361, 1_439, 5_000].map((ago) => findSpan(beginning(ago), NOW))).toEqual([
      '1h',
      '1h',
      '6h',
      '6h',
      '24h',
      '24h',
      '24h',
    ]);
    expect(findSpan(historyOf({}), NOW)).toBe('24h');
  });

  test('begins where the data does, ends with the last whole minute, is no longer than it says, and never shorter than ten minutes', () => {
    const lengthOf = (...of: Parameters<typeof frameSpan>): number => {
      const { first, last } = frameSpan(...of);
      return last - first + 1;
    };
    expect(frameSpan('24h', beginning(99), NOW).last).toBe(NOW_MINUTE - 1);
    expect(lengthOf('24h', beginning(99), NOW)).toBe(100);
    expect(lengthOf('24h', beginning(5_000), NOW)).toBe(1_440);
    expect(lengthOf('6h', beginning(2), NOW)).toBe(10);
    expect(lengthOf('1h', beginning(5_000), NOW)).toBe(60);
    for (let later = 0; later < 10; later += 1) {
      const now = NOW + later * MINUTE_MS;
      const { first, stepMinutes } = frameSpan('24h', beginning(5_000), now);
      expect([first % stepMinutes, lengthOf('24h', beginning(5_000), now) <= 1_440]).toEqual([0, true]);
    }
  });
});

describe('the data of a chart', () => {
  test('adds counts up to ten minutes of a day before it divides them', () => {
    const history = historyOf({
      [NOW_MINUTE - 1_440]: { tried: 2, reached: 1, p50: 80 },
      100_000: { tried: 1, reached: 0, p50: null },
      100_004: { tried: 9, reached: 9, p50: 50 },
    });
    const frame = frameSpan('24h', history, NOW);
    const [times, parts] = listParts(history, { part: 'reached', of: 'tried', frame });
    expect([times.length, parts?.length]).toEqual([144, 144]);
    expect([times.at(-1), parts?.[0], parts?.at(-1)]).toEqual([100_000 * 60, 50, 90]);
    expect(new Set(parts?.slice(1, -1))).toEqual(new Set([null]));
  });

  test('has the middle one of the times of a step, gaps where nobody came, and not the minute that is not over', () => {
    const history = historyOf({
      [NOW_MINUTE - 1_441]: { tried: 1, reached: 1, p50: 999 },
      [NOW_MINUTE - 15]: { tried: 1, reached: 0, p50: null },
      [NOW_MINUTE - 4]: { tried: 1, reached: 1, p50: 900 },
      [NOW_MINUTE - 3]: { tried: 1, reached: 1, p50: 80 },
      [NOW_MINUTE - 2]: { tried: 1, reached: 1, p50: 70 },
      [NOW_MINUTE - 1]: { tried: 1, reached: 0, p50: null },
      [NOW_MINUTE]: { tried: 1, reached: 1, p50: 1 },
    });
    const [, ofHour] = listTimes(history, frameSpan('1h', history, NOW));
    expect(ofHour?.slice(-2)).toEqual([900, 70]);
    const [times, p50, p95] = listTimes(history, frameSpan('24h', history, NOW));
    expect([times.length, times.at(-1)]).toEqual([144, (NOW_MINUTE - 10) * 60]);
    expect(p50?.filter((value) => value !== null)).toEqual([80]);
    expect([p50?.at(-1), p95?.at(-1), p50?.at(-2)]).toEqual([80, 160, null]);
  });

  test('is empty where nothing was measured', () => {
    const history = historyOf({});
    expect(hasValues(listTimes(history, frameSpan('24h', history, NOW)))).toBe(false);
  });
});

test('a band is a time in trouble or in maintenance, cut where the chart begins', () => {
  const states = [
    { status: 'down', minutes: 20 },
    { status: 'up', minutes: 5 },
    { status: 'maintenance', minutes: 3 },
    { status: 'unknown', minutes: 1 },
  ] as const;
  const frame = { first: NOW_MINUTE - 19, last: NOW_MINUTE - 1, stepMinutes: 1 };
  expect(listBands(states, frame)).toEqual([
    { status: 'down', from: NOW_MINUTE - 19, until: NOW_MINUTE - 8 },
    { status: 'maintenance', from: NOW_MINUTE - 3, until: NOW_MINUTE },
  ]);
  const running = { status: 'down', minutes: 2 } as const;
  expect(listBands([{ status: 'up', minutes: 8 }, running], frame)).toEqual([
    { status: 'down', from: NOW_MINUTE - 1, until: NOW_MINUTE },
  ]);
  expect(
    listBands(
      [
        { status: 'up', minutes: 8 },
        { ...running, minutes: 1 },
      ],
      frame,
    ),
  ).toEqual([]);
});
