import { expect, test } from 'vitest';
import { countReport } from './count-report.ts';
import { type Counts, createCounts, openTally } from './counts.ts';
import { createHistory } from './create-history.ts';
import { bucketOf } from './time-buckets.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 5, 12);

/** A window in which `reached` visitors reached the line, each in `timeMs`. */
function countTimes(reached: number, timeMs: number): Counts {
  const counts = createCounts();
  const tally = openTally(counts, 'line-1');
  tally.tried = tally.reached = reached;
  tally.times.set(bucketOf(timeMs), reached);
  return counts;
}

test('the windows of a minute add up, and its quantiles are those of all of them', () => {
  const history = createHistory();
  history.addWindow(countTimes(9, 50), START + 10_000);
  history.addWindow(countTimes(1, 2_000), START + 20_000);
  const [step, ...more] = history.readLine('line-1', START + 20_000);
  expect(more).toEqual([]);
  expect(step).toMatchObject({ tried: 10, reached: 10 });
  expect(step?.p50).toBeLessThan(60);
  expect(step?.p95).toBeGreaterThan(1_500);
});

test('the quantile of an hour is that of all its times, not the mean of its minutes', () => {
  const history = createHistory();
  history.addWindow(countTimes(99, 50), START);
  history.addWindow(countTimes(1, 2_000), START + MINUTE_MS);
  expect(history.readLineQuantile('line-1', START + MINUTE_MS, 0.5)).toBeLessThan(60);
  expect(history.readLineQuantile('line-1', START + MINUTE_MS, 0.995)).toBeGreaterThan(1_500);
});

test('what is older than an hour is in no quantile of the hour', () => {
  const history = createHistory();
  history.addWindow(countTimes(10, 2_000), START);
  history.addWindow(countTimes(10, 50), START + 61 * MINUTE_MS);
  expect(history.readLineQuantile('line-1', START + 61 * MINUTE_MS, 0.95)).toBeLessThan(60);
  expect(history.readLineQuantile('line-1', START + 200 * MINUTE_MS, 0.95)).toBeUndefined();
  expect(history.readLineQuantile('line-2', START, 0.95)).toBeUndefined();
});

test('the last minutes are read without those before', () => {
  const history = createHistory();
  for (let minute = 1; minute <= 10; minute += 1) {
    history.addWindow(countTimes(1, 50), START + minute * MINUTE_MS);
  }
  const now = START + 10 * MINUTE_MS - 1;
  expect(history.readLine('line-1', now)).toHaveLength(10);
  expect(history.readLine('line-1', now, 5)).toEqual(history.readLine('line-1', now).slice(-5));
});

test('of too many lines the longest unseen is forgotten, and never the site as a whole', () => {
  const history = createHistory();
  for (let line = 0; line < 1_200; line += 1) {
    const counts = createCounts();
    counts.site.hostnameCalls = 1;
    openTally(counts, `line-${line}`).handedOut = 1;
    history.addWindow(counts, START);
  }
  expect(history.readSite(START)[0]).toMatchObject({ hostnameCalls: 1_200 });
  expect(history.readLine('line-1199', START)).toHaveLength(1);
  expect(history.readLine('line-0', START)).toEqual([]);
  expect(history.save().lines.size).toBe(1_100);
});

test('a site of 1,000 lines forgets none of them', () => {
  const history = createHistory();
  for (const at of [START, START + MINUTE_MS]) {
    const counts = createCounts();
    for (let line = 0; line < 1_000; line += 1) openTally(counts, `line-${line}`).handedOut = 1;
    history.addWindow(counts, at);
  }
  expect(history.readLine('line-0', START + MINUTE_MS)).toHaveLength(2);
  expect(history.readLine('line-999', START + MINUTE_MS)).toHaveLength(2);
});

test('the site has its own minutes, and the times of the lines that were entered', () => {
  const history = createHistory();
  const counts = createCounts();
  Object.assign(counts.site, {
    hostnameCalls: 12,
    reports: 10,
    entered: 8,
    times: new Map([[bucketOf(50), 8]]),
  });
  history.addWindow(counts, START);
  const [minute, ...more] = history.readSite(START);
  expect(more).toEqual([]);
  expect(minute).toMatchObject({ hostnameCalls: 12, reports: 10, entered: 8 });
  expect(minute?.p50).toBeLessThan(60);
  expect(history.readSiteQuantile(START, 0.5)).toBe(minute?.p50);
});

test('whichever prefix the stranded come from, their voter has a place of its own in each minute', () => {
  for (let prefix = 0; prefix < 200; prefix += 1) {
    const history = createHistory();
    const counts = countReport({
      area: 'GB/AS1',
      prefix: `198.51.${prefix}`,
      lineIds: ['a'],
      results: [{ index: 0, outcome: 'unreachable', time: 0 }],
      entered: null,
    });
    for (const at of [START, START + MINUTE_MS]) history.addWindow(counts, at);
    const sum = { reports: 2, stranded: 2, strandedOfOneVoter: 2 };
    expect([prefix, history.sumArrivals(START + MINUTE_MS, 5)]).toEqual([prefix, sum]);
  }
});
