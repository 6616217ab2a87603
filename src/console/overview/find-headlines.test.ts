import { expect, test } from 'vitest';
import type { ConsoleLine, ConsoleOverview, LineStatus } from '../../contract/console.ts';
import { sampleLine } from '../testing/sample-line.ts';
import { sampleLocale } from '../testing/sample-locale.ts';
import { findHeadlines } from './find-headlines.ts';

const locale = sampleLocale();
const { texts } = locale;
const NONE = { up: 0, degraded: 0, down: 0, unknown: 0, maintenance: 0 };
const FACTS = {
  at: Date.UTC(2026, 0, 1, 10, 30),
  hour: { visitors: 5, reports: 0, entered: 0, p50: null, p95: null, limited: 0 },
  maintenance: null,
  cutOff: null,
  otherIncident: null,
  lines: { ...NONE, up: 4 },
  backups: { ...NONE, up: 4 },
  site: { version: 1, hash: 'abc', publishedAt: 0, refusal: null },
};
const LOST = {
  names: { en: 'Too many visitors reach no line', 'zh-CN': '过多访客无法进入任何线路' },
  severity: 'high',
  startedAt: Date.UTC(2026, 0, 1, 10, 18),
} as const;
const REFUSAL = { at: FACTS.at, faults: [], correctedAt: null };

function lineOf(host: string, status: LineStatus, more: Partial<ConsoleLine> = {}): ConsoleLine {
  return sampleLine({ host, status, judgedBy: 'visitors', ...more });
}

function headlines(changes: Partial<ConsoleOverview>, lines: readonly ConsoleLine[] = []) {
  return findHeadlines({ ...FACTS, ...changes }, lines, locale).map(({ status, text }) => [status, text]);
}

test.each<[Record<LineStatus, number>, object]>([
  [
    { ...NONE, up: 4 },
    { status: 'up', text: texts.allWell, hint: '' },
  ],
  [
    { ...NONE, up: 3, unknown: 1 },
    { status: 'unknown', text: texts.noneDown, hint: texts.linesUnknown('1') },
  ],
  [{ ...NONE, up: 3, down: 1, unknown: 1 }, { status: 'down' }],
  [{ ...NONE, up: 3, degraded: 1 }, { status: 'degraded' }],
])('of lines that are %o it says no more than is known', (lines, expected) => {
  expect(findHeadlines({ ...FACTS, lines }, [], locale)[0]).toMatchObject(expected);
});

test('an incident that no line shows is a headline', () => {
  const find = (severity: 'low' | 'high') => {
    const otherIncident = { ...LOST, severity };
    return headlines({ otherIncident, lines: { ...NONE, degraded: 1 } }, [lineOf('line1', 'degraded')]);
  };
  const said = 'Too many visitors reach no line, since 18:18.';
  // Before the lines in trouble if it is urgent, and after them if not.
  expect(find('high').map(([status, text]) => [status, text === said])).toEqual([
    ['down', true],
    ['degraded', false],
  ]);
  expect(find('low').map(([status, text]) => [status, text === said])).toEqual([
    ['degraded', false],
    ['degraded', true],
  ]);
});

test('nothing is called well while an incident is open, in any language', () => {
  expect(headlines({ otherIncident: LOST }).map(([status]) => status)).toEqual(['down']);
  const [first] = findHeadlines({ ...FACTS, otherIncident: LOST }, [], sampleLocale('zh-CN'));
  expect(first.text).toContain('过多访客无法进入任何线路');
});

test('for an hour, a new version of the site is news', () => {
  const publish = (ago: number) =>
    findHeadlines({ ...FACTS, site: { ...FACTS.site, version: 7, publishedAt: FACTS.at - ago } }, [], locale);
  expect(publish(3_599_999)[0].hint).toBe('Version 7 of the site has been live since 17:30.');
  expect(publish(3_600_000)[0].hint).toBe('');
});

test('before the first visitor it says so', () => {
  const hour = { ...FACTS.hour, visitors: null };
  expect(headlines({ hour })).toEqual([['unknown', texts.nothingYet]]);
});

test('a line in trouble is named, with the one that has been so for longest where there are more', () => {
  const since = Date.UTC(2026, 0, 1, 10, 18);
  const one = lineOf('line1', 'degraded', { since });
  const other = lineOf('line2', 'degraded', { since: since + 60_000 });
  const lines = { ...NONE, degraded: 2 };
  expect(headlines({ lines }, [one])).toEqual([['degraded', 'line1 has been degraded since 18:18.']]);
  expect(headlines({ lines }, [other, one])).toEqual([
    ['degraded', '2 lines are degraded. The first is line1, since 18:18.'],
  ]);
});

test('a maintenance of the site comes first, with its reason', () => {
  const reasons = { en: 'new disks', 'zh-CN': '更换磁盘' };
  const maintenance = { reasons, until: Date.UTC(2026, 0, 1, 11), closes: false };
  const facts = { ...FACTS, maintenance, lines: { ...NONE, down: 1 } };
  const [first, second] = findHeadlines(facts, [lineOf('line1', 'down')], locale);
  expect(first).toEqual({
    status: 'maintenance',
    text: 'The site is in maintenance until 19:00. Nobody is sent a message.',
    hint: 'new disks',
  });
  expect(second?.text).toBe('line1 is down.');
  const closed = { ...maintenance, reasons: null, closes: true };
  expect(findHeadlines({ ...facts, maintenance: closed }, [], locale)[0]).toEqual({
    status: 'maintenance',
    text: 'The site is closed for maintenance until 19:00: visitors get a notice and no lines. Nobody is sent a message.',
    hint: '',
  });
});

test('a portal that reaches no line says so, and who says how the lines are', () => {
  const say = (cutOff: 'visitors' | 'replicas', language: 'en' | 'zh-CN') =>
    findHeadlines({ ...FACTS, cutOff, lines: { ...NONE, unknown: 4 } }, [], sampleLocale(language));
  expect(say('visitors', 'en')).toEqual([
    {
      status: 'down',
      text: 'This portal reaches no line.',
      hint: 'Either this portal has no network, or all lines are down. What it sees does not count: the states are what visitors report.',
    },
  ]);
  expect(say('visitors', 'zh-CN')).toEqual([
    {
      status: 'down',
      text: '本门户无法连接任何线路。',
      hint: '本门户可能已断网，或线路已全部中断。其探测结果不计入，线路状态仅依据访客的上报。',
    },
  ]);
  // The other replicas know how the lines are.
  expect(say('replicas', 'en')).toEqual([
    {
      status: 'degraded',
      text: 'This portal reaches no line.',
      hint: 'What it sees of them does not count. The states are what the other replicas see.',
    },
  ]);
});

test('what visitors and other replicas see of the lines is said below a portal that reaches none', () => {
  const down = lineOf('line1', 'down', { judgedBy: 'replicas' });
  expect(headlines({ cutOff: 'replicas', lines: { ...NONE, down: 1 } }, [down])).toEqual([
    ['degraded', texts.cutOff],
    ['down', 'line1 is down.'],
  ]);
});

test('a backup that is down and a change that was refused stand beside it', () => {
  const backup = lineOf('b1', 'down', { role: 'backup' });
  const all = {
    lines: { ...NONE, down: 1 },
    backups: { ...NONE, down: 1 },
    site: { ...FACTS.site, refusal: REFUSAL },
  };
  expect(headlines(all, [lineOf('line1', 'down'), backup])).toEqual([
    ['down', 'line1 is down.'],
    ['down', 'The last change of the site folder was refused at 18:30.'],
    ['down', 'The backup b1 is down.'],
  ]);
  expect(headlines({ backups: all.backups }, [backup])).toEqual([['down', 'The backup b1 is down.']]);
});

test('while the table is not there yet, troubles are counted', () => {
  const lines = { ...NONE, down: 1, degraded: 2 };
  expect(headlines({ lines, backups: { ...NONE, down: 1 } })).toEqual([
    ['down', '1 line is down.'],
    ['down', '1 backup is down.'],
    ['degraded', '2 lines are degraded.'],
  ]);
  const [first] = findHeadlines({ ...FACTS, lines }, [], sampleLocale('zh-CN'));
  expect(first.text).toBe('1 条线路中断。');
});

test('a refused change is no headline once a later one went live', () => {
  const refusal = { ...REFUSAL, correctedAt: FACTS.at };
  expect(headlines({ site: { ...FACTS.site, refusal } })).toEqual([['up', texts.allWell]]);
});

test('what the server’s own probe found is said as its cause', () => {
  const faults = [{ fault: { kind: 'not-exposed', header: 'server' }, ports: [] }] as const;
  const line = lineOf('line1', 'down', { judgedBy: 'probe', faults });
  const facts = { ...FACTS, lines: { ...NONE, down: 1 } };
  const hints = (['en', 'zh-CN'] as const).map(
    (language) => findHeadlines(facts, [line], sampleLocale(language))[0].hint,
  );
  expect(hints).toEqual(['It does not let a page read its marker.', '页面无法读取其标识。']);
});

test('a line that visitors lose says in how many networks', () => {
  const facts = { ...FACTS, lines: { ...NONE, degraded: 1 } };
  const hintOf = (failingNetworks: number, language: 'en' | 'zh-CN') =>
    findHeadlines(facts, [lineOf('line1', 'degraded', { failingNetworks })], sampleLocale(language))[0].hint;
  expect(hintOf(1, 'en')).toBe('Visitors of 1 network do not reach it.');
  expect(hintOf(2, 'zh-CN')).toBe('2 个网络的访客无法连通。');
  expect(hintOf(0, 'en')).toBe(texts.judgedBy.visitors);
});
