import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { VisitorNumbers, VisitorRange } from '../../../contract/visitors.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { createTestConsole } from '../../testing/test-console.ts';
import { keepVisits } from '../../visitors/keep-visits.ts';
import { writeTable } from './visitor-routes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A console whose portal counts what a test tells it, at 12:00 of 5 January. */
async function openConsole() {
  const noon = Date.UTC(2026, 0, 5, 12);
  const clock = { now: noon };
  const visits = keepVisits({
    database: await openTestDatabase(),
    log: pino({ level: 'silent' }),
    now: () => clock.now,
  });
  const { ask, read, portal } = await createTestConsole({ visits });
  /** Counts a visit at an earlier time, and sets the clock back to noon. */
  const countAgo = (agoMs: number, cells: Readonly<Record<string, number>>): void => {
    clock.now = noon - agoMs;
    visits.count(new Map(Object.entries(cells)));
    clock.now = noon;
  };
  const readRange = (range: VisitorRange) => read<VisitorNumbers>(`/api/console/visitors?range=${range}`);
  return { ask, countAgo, readRange, noon, clock: portal.clock };
}

test('today is compared with the same hours of yesterday, and the running hour with as much of one as has passed', async () => {
  const { countAgo, readRange, noon, clock } = await openConsole();
  countAgo(0, { 'step/page_view': 1 });
  countAgo(12 * HOUR_MS, { 'step/page_view': 2 });
  countAgo(12 * HOUR_MS + 1, { 'step/page_view': 4 });
  countAgo(DAY_MS - HOUR_MS, { 'step/page_view': 8 });
  countAgo(DAY_MS, { 'step/page_view': 16 });
  countAgo(36 * HOUR_MS, { 'step/page_view': 32 });
  countAgo(36 * HOUR_MS + 1, { 'step/page_view': 64 });
  const { steps, from, beforeFrom, points, pointMs } = await readRange('today');
  expect(steps.page_view).toEqual({ now: 3, before: 32 });
  expect([noon - from, from - beforeFrom, pointMs]).toEqual([12 * HOUR_MS, DAY_MS, HOUR_MS]);
  expect(points.filter(({ views }) => views > 0)).toEqual([
    { at: from, views: 2, entered: 0 },
    { at: noon, views: 1, entered: 0 },
  ]);
  countAgo(DAY_MS, { 'line/late.example': 1 });
  expect((await readRange('today')).lines).toEqual([]);
  clock.now = noon + 0.75 * HOUR_MS;
  expect((await readRange('today')).lines).toEqual([{ name: 'late.example', now: 0, before: 1 }]);
  expect((await readRange('today')).steps.page_view).toEqual({ now: 3, before: 44 });
});

test.each<[VisitorRange, days: number, pointMs: number]>([
  ['7d', 7, HOUR_MS],
  ['30d', 30, DAY_MS],
])('%s goes back %d days, and so does the period before', async (range, days, pointMs) => {
  const { countAgo, readRange } = await openConsole();
  countAgo(0, { 'step/entered': 1 });
  countAgo((days - 1) * DAY_MS, { 'step/entered': 2 });
  countAgo(days * DAY_MS, { 'step/entered': 4 });
  countAgo((2 * days - 1) * DAY_MS, { 'step/entered': 8 });
  countAgo(2 * days * DAY_MS, { 'step/entered': 16 });
  const numbers = await readRange(range);
  // The hour of noon has only begun.
  expect(numbers.steps.entered).toEqual({ now: 3, before: 8 });
  expect(numbers.pointMs).toBe(pointMs);
  expect(numbers.points.reduce((sum, { entered }) => sum + entered, 0)).toBe(3);
});

test('lists what was counted, the most frequent first', async () => {
  const { countAgo, readRange } = await openConsole();
  countAgo(0, {
    'line/https://b.example:9900': 5,
    'line/a.example': 7,
    'referrer/': 3,
    'referrer/search.example': 2,
    'country/page_view/SG': 4,
    'country/entered/SG': 1,
    'country/page_view/': 2,
    'device/page_view/pc': 6,
    'language/page_view/en': 6,
    'event/mobile/retest': 2,
    'event/pc/retest': 1,
    'event-language/retest/en': 1,
    'event-language/retest/zh-CN': 2,
    'event-country/retest/SG': 3,
    'step/page_view': 9,
    'page/r': 8,
    'vital/LCP/2500': 3,
    'vital/LCP/4000': 1,
  });
  countAgo(DAY_MS + 1, { 'line/c.example': 1, 'event/pc/retest': 4 });
  const numbers = await readRange('today');
  expect(numbers).toMatchObject({
    isOn: false,
    pages: [
      { name: '/', now: 9, before: 0 },
      { name: '/r', now: 8, before: 0 },
      { name: '/t', now: 0, before: 0 },
      { name: '/c', now: 0, before: 0 },
    ],
    lines: [
      { name: 'a.example', now: 7, before: 0 },
      { name: 'https://b.example:9900', now: 5, before: 0 },
      { name: 'c.example', now: 0, before: 1 },
    ],
    referrers: [
      { name: '', now: 3 },
      { name: 'search.example', now: 2 },
    ],
    countries: [
      { name: 'SG', views: { now: 4, before: 0 }, entered: { now: 1, before: 0 } },
      { name: '', views: { now: 2 } },
    ],
    devices: [{ name: 'pc', views: { now: 6 } }],
    languages: [{ name: 'en', views: { now: 6 } }],
    vitals: { LCP: { now: { count: 4, p75: 2_500, good: 3, poor: 0 }, before: { p75: null } } },
  });
  // The twelve events, and the ten controls that the page tag is not told of.
  expect(numbers.controls).toHaveLength(22);
  expect(numbers.controls).toContainEqual({
    name: 'retest',
    now: 3,
    before: 4,
    mobile: 2,
    languages: [
      { name: 'zh-CN', now: 2, before: 0 },
      { name: 'en', now: 1, before: 0 },
    ],
    countries: [{ name: 'SG', now: 3, before: 0 }],
  });
});

test('refuses a range that it does not have', async () => {
  const { ask } = await openConsole();
  for (const range of ['1y', '', 'toString']) {
    const { status, text } = await ask(`/api/console/visitors?range=${range}`);
    expect([range, status, text]).toEqual([range, 400, expect.stringContaining('range-invalid')]);
  }
});

test('the table is CSV that opens in a spreadsheet, and runs nothing there', async () => {
  const { ask, readRange } = await openConsole();
  const numbers = await readRange('today');
  const names = [
    '=cmd|x',
    '+1',
    '-1',
    '@a',
    '\tb',
    '\nc',
    '＝1',
    '＋1',
    '－1',
    '＠a',
    'a,"b"',
    'plain.example',
    '',
  ];
  const referrers = names.map((name) => ({ name, now: 1, before: 0 }));
  const rows = writeTable({ ...numbers, referrers }).split('\r\n');
  expect(rows[0]).toBe('part,name,measure,now,before');
  expect(rows.filter((row) => row.startsWith('referrer,'))).toEqual([
    "referrer,'=cmd|x,page_view,1,0",
    "referrer,'+1,page_view,1,0",
    "referrer,'-1,page_view,1,0",
    "referrer,'@a,page_view,1,0",
    "referrer,'\tb,page_view,1,0",
    `referrer,"'\nc",page_view,1,0`,
    "referrer,'＝1,page_view,1,0",
    "referrer,'＋1,page_view,1,0",
    "referrer,'－1,page_view,1,0",
    "referrer,'＠a,page_view,1,0",
    'referrer,"a,""b""",page_view,1,0',
    'referrer,plain.example,page_view,1,0',
    'referrer,,page_view,1,0',
  ]);
  const { headers, text } = await ask('/api/console/visitors.csv?range=7d');
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename="visitors-7d.csv"',
    'cache-control': 'no-store',
  });
  expect(text).toContain('\r\nstep,page_view,times,0,0\r\n');
});
