import { expect, test } from 'vitest';
import { ALL_LINES, TOTALS, TOTAL_FIELDS } from './counts.ts';
import { createHistory } from './history.ts';
import { bucketOf } from './time-buckets.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 5, 12);

/** A window in which so many visitors reached the line, in this time each. */
function countTimes(reached: number, timeMs: number): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const fields = {
    [TOTAL_FIELDS.tried]: reached,
    [TOTAL_FIELDS.reached]: reached,
    [bucketOf(timeMs)]: reached,
  };
  return new Map([
    [TOTALS, new Map(Object.entries(fields).map(([kind, amount]) => [`${kind}line-1`, amount]))],
  ]);
}

test('the windows of a minute add up, and its quantiles are those of all of them', () => {
  const history = createHistory();
  history.addWindow(countTimes(9, 50), START + 10_000);
  history.addWindow(countTimes(1, 2_000), START + 20_000);
  const [step, ...more] = history.read('line-1', START + 20_000);
  expect(more).toEqual([]);
  expect(step).toMatchObject({ tried: 10, reached: 10 });
  expect(step?.p50).toBeLessThan(60);
  expect(step?.p95).toBeGreaterThan(1_500);
});

test('the quantile of an hour is that of all its times, not the mean of its minutes', () => {
  const history = createHistory();
  history.addWindow(countTimes(99, 50), START);
  history.addWindow(countTimes(1, 2_000), START + MINUTE_MS);
  expect(history.readHourQuantile('line-1', START + MINUTE_MS, 0.5)).toBeLessThan(60);
  expect(history.readHourQuantile('line-1', START + MINUTE_MS, 0.995)).toBeGreaterThan(1_500);
});

test('what is older than an hour is in no quantile of the hour', () => {
  const history = createHistory();
  history.addWindow(countTimes(10, 2_000), START);
  history.addWindow(countTimes(10, 50), START + 61 * MINUTE_MS);
  expect(history.readHourQuantile('line-1', START + 61 * MINUTE_MS, 0.95)).toBeLessThan(60);
  expect(history.readHourQuantile('line-1', START + 200 * MINUTE_MS, 0.95)).toBeUndefined();
  expect(history.readHourQuantile('line-2', START, 0.95)).toBeUndefined();
});

test('the last so many minutes are read without those before', () => {
  const history = createHistory();
  for (let minute = 1; minute <= 10; minute += 1) {
    history.addWindow(countTimes(1, 50), START + minute * MINUTE_MS);
  }
  const now = START + 10 * MINUTE_MS - 1;
  expect(history.read('line-1', now)).toHaveLength(10);
  expect(history.read('line-1', now, 5)).toEqual(history.read('line-1', now).slice(-5));
});

test('of too many lines the longest unseen is forgotten, and never the site as a whole', () => {
  const history = createHistory();
  const count = (lineIds: readonly string[], at: number): void =>
    history.addWindow(
      new Map([[TOTALS, new Map(lineIds.map((id) => [TOTAL_FIELDS.handedOut + id, 1]))]]),
      at,
    );
  for (let line = 0; line < 500; line += 1) count([ALL_LINES, `line-${line}`], START);
  expect(history.read(ALL_LINES, START)[0]).toMatchObject({ handedOut: 500 });
  expect(history.read('line-499', START)).toHaveLength(1);
  expect(history.read('line-0', START)).toEqual([]);
  expect(history.rings().size).toBe(400);
});
