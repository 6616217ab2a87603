import { expect, test } from 'vitest';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import { type LineHistory, NO_UPTIME } from '../../contract/uptime.ts';
import { describeReport } from './describe-report.ts';
import { findDueReports } from './find-due-reports.ts';

const MAIL = {
  kind: 'mail',
  server: 'smtp://mail.example',
  from: 'a@b.example',
  to: ['c@d.example'],
} as const;
const DAY_MS = 86_400_000;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
const LAST_MONDAY = MONDAY / DAY_MS - 7;
const NO_INCIDENTS = { count: 0, totalMs: 0, longestMs: null, taken: 0, takenAfterMs: null };
const GOOD = { ...NO_UPTIME, served: 9_000, known: 8_000, good: 79_960_000, visits: 12_345, gotIn: 12_340 };

function listDue(now: number, every: 'week' | 'month' = 'week', timeZone?: string) {
  const channels: AlertChannel[] = [{ ...MAIL, name: 'office', timeZone, to: [...MAIL.to] }];
  return findDueReports({ channels, reports: [{ every, to: ['office'] }] }, now);
}

test('the report of a week is due from 8:00 on Monday on, in the time zone of its channel, for two days', () => {
  const hours = (hour: number) => MONDAY + hour * 3_600_000;
  expect(listDue(hours(7.9))).toEqual([]);
  const period = { firstDay: LAST_MONDAY, lastDay: LAST_MONDAY + 6, until: MONDAY };
  expect(listDue(hours(8))).toEqual([{ channel: 'office', mark: 'report/week/office', period }]);
  expect(listDue(hours(20.1))).toEqual([]);
  expect(listDue(hours(47.9))).toEqual([]);
  expect(listDue(hours(24 + 19.9))).toHaveLength(1);
  expect(listDue(hours(48 + 9))).toEqual([]);
  // It is 8:00 in Singapore when the week ends. The last minutes of the week are still being written.
  expect(listDue(hours(0.1), 'week', 'Asia/Singapore')).toEqual([]);
  expect(listDue(hours(0.2), 'week', 'Asia/Singapore')).toHaveLength(1);
});

test('the report of a month is about its first to its last day', () => {
  const [due] = listDue(Date.UTC(2027, 0, 1, 9), 'month');
  const [from, until] = [Date.UTC(2026, 11), Date.UTC(2027, 0)];
  expect(due?.period).toEqual({ firstDay: from / DAY_MS, lastDay: until / DAY_MS - 1, until });
  expect(listDue(Date.UTC(2027, 0, 3, 9), 'month')).toEqual([]);
});

const ALL: readonly LineHistory[] = [
  {
    line: '',
    id: null,
    role: 'site',
    sums: { ...GOOD, probed: 10_080, probedUp: 10_080 },
    incidents: { count: 3, totalMs: 3_900_000, longestMs: 2_400_000, taken: 2, takenAfterMs: 240_000 },
  },
  { line: 'line1.example', id: 'a', role: 'line', sums: GOOD, incidents: NO_INCIDENTS },
  {
    line: 'line2.example',
    id: 'b',
    role: 'line',
    sums: { ...GOOD, leftOut: 90, probed: 10_000, probedUp: 9_900 },
    incidents: { ...NO_INCIDENTS, count: 1, totalMs: 5_400_000 },
  },
  {
    line: 'backup1.example',
    id: 'c',
    role: 'backup',
    sums: { ...NO_UPTIME, probed: 10_080, probedUp: 10_080 },
    incidents: NO_INCIDENTS,
  },
  { line: 'new.example', id: 'd', role: 'line', sums: NO_UPTIME, incidents: NO_INCIDENTS },
];

function write(language: 'en' | 'zh-CN', all = ALL): readonly string[] {
  const period = { firstDay: LAST_MONDAY, lastDay: LAST_MONDAY + 6, until: MONDAY };
  const options = { id: 'one', site: 'Lumo', language, now: MONDAY, consoleUrl: 'https://console.example/' };
  return describeReport({ all, period }, options).text.split('\n');
}

test('a report in English', () => {
  expect(write('en')).toEqual([
    '[Report] Lumo: 99.95% of the visitors got in, 2026-11-09 to 2026-11-15',
    'Visitors who got in: 99.95% (visits: 12,345)',
    'Minutes with visits: 8,000 of 10,080',
    "The server's own probe reached a line: 100% of the time",
    'Incidents: 3, in all 1 h 5 min, the longest 40 min',
    'Taken by somebody: 2, after 4 min (median)',
    '',
    'Lines, the worst first (visitors who got in; the server’s probe; incidents):',
    'line2.example: 98.95%; 99.00%; 1 incident, 1 h 30 min',
    'line1.example: 99.95%; unknown',
    'backup1.example (backup): no visits; 100%',
    '',
    'Days are days in UTC. Minutes without visits are unknown, and count neither as good nor as bad.',
    'https://console.example/#/history',
  ]);
});

test('a report in Chinese', () => {
  expect(write('zh-CN')).toEqual([
    '[报告] Lumo：99.95% 的访客成功进入，2026-11-09 至 2026-11-15',
    '成功进入的访客：99.95%（访问 12,345 次）',
    '有访问的分钟：8,000 / 10,080',
    '服务器探测至少连通一条线路的时间：100%',
    '事件：3 起，合计 1 小时 5 分钟，最长 40 分钟',
    '有人接手：2 起，用时 4 分钟（中位数）',
    '',
    '线路，最差的在前（成功进入的访客；服务器探测；事件）：',
    'line2.example：98.95%；99.00%；1 起事件，1 小时 30 分钟',
    'line1.example：99.95%；未知',
    'backup1.example（备用）：没有访问；100%',
    '',
    '日期按 UTC 计算。没有访问的分钟视为未知，不计为正常，也不计为异常。',
    'https://console.example/#/history',
  ]);
});

test('of a week without visits nothing is said but that', () => {
  const [title, visitors] = write('en', []);
  expect(title).toBe('[Report] Lumo: no visits, 2026-11-09 to 2026-11-15');
  expect(visitors).toBe('');
});
