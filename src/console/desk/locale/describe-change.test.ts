import { expect, test } from 'vitest';
import type { SiteChange } from '../../../contract/desk/site-change.ts';
import { describeChange } from './describe-change.ts';
import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

const CHANGES: readonly (readonly [SiteChange, string, string])[] = [
  [
    { kind: 'line-changed', host: 'http://c.example', place: 3, key: 'weight', before: '1', after: '2' },
    'Line 3 (c.example): weight: 1 → 2',
    '线路 3（c.example）：权重：1 → 2',
  ],
  [
    { kind: 'line-added', host: 'd.example', place: 4 },
    'Line 4 (d.example): added',
    '线路 4（d.example）：新增',
  ],
  [
    { kind: 'line-removed', host: 'd.example', place: 4 },
    'Line 4 (d.example): removed',
    '线路 4（d.example）：删除',
  ],
  [
    { kind: 'line-replaced', host: 'http://e.example', place: 4, hostBefore: 'd.example' },
    'Line 4: d.example → http://e.example',
    '线路 4：d.example → http://e.example',
  ],
  [{ kind: 'value', file: 'site.json', path: 'limits', after: '{}' }, 'Limits: added', '限额：新增'],
  [
    { kind: 'value', file: 'site.json', path: 'alerts.rules', after: '[{}]' },
    'Rules for alerts: added',
    '通知规则：新增',
  ],
  [{ kind: 'lines-reordered' }, 'Lines: in another order', '线路：顺序已改变'],
  [
    { kind: 'value', file: 'site.json', path: 'brand.name', locale: 'en', before: '"A"', after: '"B"' },
    'Name of the brand (en): A → B',
    '品牌名称（en）：A → B',
  ],
  [
    { kind: 'value', file: 'site.json', path: 'announcement', locale: 'zh-CN', after: '{"text":"x"}' },
    'Announcement (zh-CN): added',
    '公告（zh-CN）：新增',
  ],
  [
    { kind: 'value', file: 'json/link.json', path: 'ub', before: '""', after: '"https://a.example"' },
    'Main browser: empty → https://a.example',
    '主浏览器：空 → https://a.example',
  ],
  [
    { kind: 'value', file: 'site.json', path: 'texts.retest', locale: 'en', after: '"Again"' },
    'Text “Retest speed” (en): added Again',
    '文案“重新测速”（en）：新增 Again',
  ],
  [
    { kind: 'value', file: 'site.json', path: 'texts.esbTab', locale: 'en', after: '"App"' },
    'Text “Name of the Android browser” (en): added App',
    '文案“安卓浏览器名称”（en）：新增 App',
  ],
  [
    { kind: 'value', file: 'site.json', path: 'announcement.text', locale: 'en', after: '"Hello"' },
    'Announcement text (en): added Hello',
    '公告 text（en）：新增 Hello',
  ],
  [
    { kind: 'value', file: 'site.json', path: 'lines.ports', before: '[80]', after: '[80,443]' },
    'Ports: 80 → 80, 443',
    '端口：80 → 80, 443',
  ],
  [
    { kind: 'image', path: 'images/logo.svg', names: ['logo'], what: 'replaced' },
    'Image: Logo: replaced',
    '图片：标志：替换',
  ],
  [{ kind: 'file', path: 'json/urls/app.json', what: 'added' }, '/t/app: added', '/t/app：新增'],
];

test.each(CHANGES)('%o is said in the words of the forms', (change, english, chinese) => {
  expect(describeChange(change, en)).toBe(english);
  expect(describeChange(change, zhCN)).toBe(chinese);
});

test('English texts are English, and Chinese ones Chinese', () => {
  const inChinese = listTexts(zhCN);
  expect(inChinese.length).toBeGreaterThan(120);
  const shared = new Set(['language', 'hostHint', 'sections.json']);
  expect(inChinese.filter(([path, text]) => !shared.has(path) && !/\p{Script=Han}/u.test(text))).toEqual([]);
  expect(listTexts(en).filter(([, text]) => /\p{Script=Han}/u.test(text) || text === '')).toEqual([]);
});

function listTexts(texts: object, path = ''): readonly (readonly [path: string, text: string])[] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return [[`${path}${key}`, value] as const];
    return typeof value === 'function' ? [] : listTexts(value as object, `${path}${key}.`);
  });
}
