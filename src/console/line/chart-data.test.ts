import { describe, expect, test } from 'vitest';
import type { ConsoleHistory } from '../../contract/console.ts';
import { hasValues, listParts, listTimes } from './chart-data.ts';

const MINUTE_MS = 60_000;
const NOW_MINUTE = 100_004;
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

describe('the data of a chart', () => {
  test('adds counts up to five minutes before it divides them', () => {
    const history = historyOf({
      100_000: { tried: 1, reached: 0, p50: null },
      100_004: { tried: 9, reached: 9, p50: 50 },
    });
    const [times, parts] = listParts(history, { part: 'reached', of: 'tried', now: NOW });
    expect([times.length, parts?.length]).toEqual([288, 288]);
    expect([times.at(-1), parts?.at(-1)]).toEqual([100_000 * 60, 90]);
    expect(new Set(parts?.slice(0, -1))).toEqual(new Set([null]));
  });

  test('has one step for every minute of a day, and gaps where nobody came', () => {
    const history = historyOf({
      [NOW_MINUTE - 1]: { tried: 1, reached: 1, p50: 80 },
      [NOW_MINUTE]: { tried: 1, reached: 0, p50: null },
      [NOW_MINUTE - 1_440]: { tried: 1, reached: 1, p50: 999 },
    });
    const [times, p50, p95] = listTimes(history, NOW);
    expect([times.length, times.at(-1)]).toEqual([1_440, NOW_MINUTE * 60]);
    expect(p50?.filter((value) => value !== null)).toEqual([80]);
    expect([p50?.at(-2), p95?.at(-2), p50?.at(-1)]).toEqual([80, 160, null]);
  });

  test('is empty where nothing was measured', () => {
    expect(hasValues(listTimes(historyOf({}), NOW))).toBe(false);
  });
});
