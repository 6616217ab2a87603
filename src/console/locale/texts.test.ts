import { expect, test } from 'vitest';
import { COMMAND_LINE_NAME, LOOPBACK_NAME, UNKNOWN_NAME } from '../../contract/people.ts';
import type { LineFault } from '../../contract/line/line-fault.ts';
import { sampleLocale } from '../testing/sample-locale.ts';
import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

const HAN = /\p{Script=Han}/u;

/** Every text, with its path. Texts with values in them get the names of their values. */
function listTexts(texts: object, path = ''): readonly (readonly [path: string, text: string])[] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) => {
    const place = `${path}${key}`;
    if (typeof value === 'string') return [[place, value] as const];
    if (typeof value === 'function') return [];
    return listTexts(value as object, `${place}.`); // All else is a group of texts.
  });
}

test('English texts are English, and Chinese ones Chinese', () => {
  // The same in every language.
  const shared = new Set(['p50', 'p95']);
  const inChinese = listTexts(zhCN).filter(([path]) => !shared.has(path));
  expect(inChinese.length).toBeGreaterThan(90);
  expect(inChinese.filter(([, text]) => !HAN.test(text))).toEqual([]);
  expect(listTexts(en).filter(([, text]) => HAN.test(text) || text === '')).toEqual([]);
});

test('those who act and are no person have a Chinese name, and all others keep theirs', () => {
  for (const name of [LOOPBACK_NAME, COMMAND_LINE_NAME, UNKNOWN_NAME]) {
    expect(zhCN.actor(name)).toMatch(HAN);
    expect(en.actor(name)).toBe(name);
  }
  expect(zhCN.actor('constructor')).toBe('constructor');
});

const FAULTS: readonly LineFault[] = [
  { kind: 'timeout' },
  ...['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'EPROTO', 'EHOSTUNREACH'].map((code) => ({
    kind: 'unreachable' as const,
    code,
  })),
  { kind: 'mixed-content', portal: 'https://go.example' },
  ...[
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_REVOKED',
  ].map((code) => ({ kind: 'certificate' as const, code, hostname: 'a.example', validTo: 0 })),
  { kind: 'upgrade' },
  { kind: 'redirect', location: null },
  { kind: 'redirect', location: 'https://b.example/' },
  { kind: 'not-allowed' },
  { kind: 'status', status: 404 },
  { kind: 'no-marker', marker: 'm1', header: 'server' },
  { kind: 'other-marker', marker: 'm1', header: 'server', found: 'nginx' },
  { kind: 'not-exposed', header: 'server' },
  { kind: 'page-status', status: 404 },
  { kind: 'page-no-answer' },
];

test.each(FAULTS)('a fault has its sentences in both languages, with the same values: %o', (fault) => {
  const [english, chinese] = [en, zhCN].map((texts) => texts.fault({ fault, ports: [] }));
  expect(english?.problem).toMatch(/^It .*\.$/);
  expect(english?.advice).toMatch(/^[A-Z].*\.$/);
  expect(chinese?.problem).toMatch(/\p{Script=Han}.*。$/u);
  expect(chinese?.advice).toMatch(/\p{Script=Han}.*。$/u);
  const valuesOf = (text = ''): readonly string[] => text.match(/\d+|[A-Z]{4,}|\w+\.example/g) ?? [];
  expect(valuesOf(chinese?.problem)).toEqual(valuesOf(english?.problem));
});

test('the ports of a fault are named if not all have it', () => {
  const sentences = [en, zhCN].flatMap((texts) =>
    [[9900], [9900, 5569]].map((ports) => texts.fault({ fault: { kind: 'upgrade' }, ports }).problem),
  );
  expect(sentences).toEqual([
    'On port 9900 it switches to another protocol (status 101).',
    'On ports 9900, 5569 it switches to another protocol (status 101).',
    '端口 9900：切换到了其他协议（状态码 101）。',
    '端口 9900、5569：切换到了其他协议（状态码 101）。',
  ]);
});

test('one is said as one', () => {
  expect([1, 2].map((count) => en.networksCount(count, String(count)))).toEqual(['1 network', '2 networks']);
  expect([0, 1].map((days) => en.certificate(days, String(days)))).toEqual([
    'Certificate: 0 days left.',
    'Certificate: 1 day left.',
  ]);
});

test('English dates are those of the browser’s own English, and Chinese ones are in the console’s characters', () => {
  const dayOf = (...of: Parameters<typeof sampleLocale>) => sampleLocale(...of).format.clock(0, 86_400_000);
  expect(dayOf('en', ['de', 'en-US'])).toBe('Jan 1, 07:30');
  expect(dayOf('en', ['de'])).toBe('1 Jan, 07:30');
  expect(dayOf('zh-CN', ['zh-TW'])).toBe('1月1日 07:30');
});
