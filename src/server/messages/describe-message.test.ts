import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Incident } from '../../contract/incidents.ts';
import { describeMessage } from './describe-message.ts';

const DOCS = readFileSync(new URL('../../../docs/alerts.md', import.meta.url), 'utf8');

const INCIDENT: Incident = {
  id: 'kT3x9LqPz0WvB71mCk2nEA',
  cause: 'line/ab12cd34',
  kind: 'line-down',
  severity: 'high',
  subject: 'line3.example',
  affected: [],
  detail: { kind: 'line-faults', faults: [{ kind: 'unreachable', code: 'ECONNREFUSED' }] },
  visitors: 12,
  startedAt: 1_799_999_990_000,
  endedAt: null,
  takenBy: null,
  timeline: [],
};
const OPTIONS = {
  id: 'kT3x9LqPz0WvB71mCk2nEA-1-opened',
  type: 'opened',
  site: 'Lumo',
  language: 'en',
  now: 1_800_000_000_000,
} as const;

test('a message is the one that the docs show to those who write a webhook', () => {
  const [, shown = ''] = /one object for each message:\n\n```json\n([^`]*)```/.exec(DOCS) ?? [];
  expect(describeMessage(INCIDENT, OPTIONS)).toEqual(JSON.parse(shown));
});

test('in Chinese its title and its text are Chinese, and its detail stays English, as the docs say', () => {
  const { text, detail } = describeMessage(INCIDENT, { ...OPTIONS, language: 'zh-CN' });
  expect(text.split('\n').slice(0, 2)).toEqual([
    '[故障 · 高] Lumo：line3.example 对所有访客中断，自 07:59 (UTC) 起',
    '情况：拒绝了连接',
  ]);
  expect(detail).toBe('refused the connection');
});

test('a long detail is cut after 600 bytes, and the rest of the text is still there', () => {
  const detail = { kind: 'text', text: 'a'.repeat(601) } as const;
  const message = describeMessage({ ...INCIDENT, detail }, OPTIONS);
  const cut = `${'a'.repeat(600)}…`;
  expect(message.detail).toBe(cut);
  expect(message.text.split('\n').slice(1, 3)).toEqual([`Known: ${cut}`, 'Visitors affected: 12']);
});

test.each([
  ['Chinese', '线'.repeat(200), '线'.repeat(201), `${'线'.repeat(200)}…`],
  ['a character of two halves', '😀'.repeat(150), `ab${'😀'.repeat(150)}`, `ab${'😀'.repeat(149)}…`],
])('a long detail is cut by its bytes, and between two characters: %s', (_, short, long, cut) => {
  const write = (text: string) =>
    describeMessage({ ...INCIDENT, detail: { kind: 'text', text } }, { ...OPTIONS, language: 'zh-CN' });
  expect(write(short).detail).toBe(short);
  expect(write(long).detail).toBe(cut);
  expect(write(long).text.split('\n')[1]).toBe(`情况：${cut}`);
});

test.each([
  ['a mention of Slack', '<!channel> <@U1>', '＜!channel＞ ＜＠U1＞'],
  ['a mention of Feishu', '<at user_id="all">x</at>', '＜at user＿id="all"＞x＜/at＞'],
  ['a mention of Discord and Telegram', '@everyone @ops #news', '＠everyone ＠ops ＃news'],
  ['a link with a text', '<https://evil.example|Sign in>', '＜https[:]//evil[.]example｜Sign in＞'],
  ['a link of Markdown', '[Sign in](https://evil.example)', '［Sign in］(https[:]//evil[.]example)'],
  [
    'a plain link',
    'see evil.example/x or http://192.0.2.1:80',
    'see evil[.]example/x or http[:]//192[.]0[.]2[.]1[:]80',
  ],
  ['an escaped mark', '&lt;!here&gt; \\*', '＆lt;!here＆gt; ＼＊'],
  ['a format', '*a* _b_ ~c~ `d`', '＊a＊ ＿b＿ ～c～ ｀d｀'],
  ['the usual marker of a server', 'nginx/1.24.0 (Ubuntu)', 'nginx/1[.]24[.]0 (Ubuntu)'],
])('what a line sends has no meaning in a chat: %s', (_, found, written) => {
  const faults = [
    { kind: 'other-marker', header: 'server', marker: 'lumo.1', found },
    { kind: 'redirect', location: found },
  ] as const;
  const { text, detail } = describeMessage({ ...INCIDENT, detail: { kind: 'line-faults', faults } }, OPTIONS);
  expect(detail).toBe(`sends the marker "${written}", not "lumo.1"; redirects the speed check to ${written}`);
  expect(text.split('\n')[1]).toBe(`Known: ${detail}`);
});

test('what a channel answered has no meaning in another one', () => {
  const write = (detail: Incident['detail']) => describeMessage({ ...INCIDENT, detail }, OPTIONS).detail;
  expect(write({ kind: 'channel-refused', reason: '<!here>' })).toBe('Telegram refused it: ＜!here＞');
  expect(write({ kind: 'text', text: '<!here>' })).toBe('＜!here＞');
});
