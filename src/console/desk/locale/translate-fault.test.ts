import * as v from 'valibot';
import { expect, test } from 'vitest';
import { describeIssues } from '../../../contract/site/describe-issues.ts';
import { DEFAULT_LANGUAGES } from '../../../contract/site/locales.ts';
import { createSiteConfigSchema } from '../../../contract/site/site-config.ts';
import { translateFault } from './translate-fault.ts';

const schema = createSiteConfigSchema(DEFAULT_LANGUAGES);

/** What the server says about a part of `site.json`, in Chinese. What else is missing there does not matter. */
function check(part: object): readonly string[] {
  const [key = ''] = Object.keys(part);
  const faults = describeIssues(schema, v.safeParse(schema, part).issues ?? []);
  return faults
    .filter(({ path, code }) => path[0] === key && code !== 'missing-key')
    .map(({ message }) => translateFault(message));
}

test.each([
  [{ theme: { accent: 'gold' } }, 'theme.accent 须为颜色，例如 "#e0b34c"，现为 "gold"'],
  [{ theme: { acent: '#e0b34c' } }, 'theme.acent 不是可用的键，是否应为 "accent"？'],
  [
    { publicUrl: 'go.example.com' },
    'publicUrl 须为以 https:// 或 http:// 开头的完整网址，现为 "go.example.com"',
  ],
  [{ compliance: { minimumAge: '18' } }, 'compliance.minimumAge 须为大于 0 的整数，现为 "18"'],
  [{ redirect: { keepQuery: 'yes' } }, 'redirect.keepQuery 须为 true 或 false，现为 "yes"'],
  [{ start: 'fast' }, 'start 须为 "calls" 或 "inline"，现为 "fast"'],
  [{ monitoring: { replayPercent: 120 } }, 'monitoring.replayPercent 须为 0 到 100 之间的数字，现为 120'],
  [{ lines: { ports: [0] } }, 'lines.ports[0] 须为 1 到 65535 之间的端口，现为 0'],
  [
    { lines: { hosts: ['line1.example/play'] } },
    'lines.hosts[0] 含有多余的路径，请只写 "line1.example"，现为 "line1.example/play"',
  ],
  [
    { lines: { hosts: ['line 1'] } },
    'lines.hosts[0] 含有空格，请只写主机，例如 "line1.example"，现为 "line 1"',
  ],
  [
    { lines: { hosts: ['a.example,b.example'] } },
    'lines.hosts[0] 含有逗号，每个主机须单独填写，例如 "line1.example"，现为 "a.example,b.example"',
  ],
  [
    { lines: { hosts: ['a.example:99999'] } },
    'lines.hosts[0] 的端口 99999 不可用，须为 1 到 65535，现为 "a.example:99999"',
  ],
  [
    { lines: { hosts: ['ftp://a.example'] } },
    'lines.hosts[0] 的协议 "ftp" 不可用，请写 https:// 或 http://，或不写，现为 "ftp://a.example"',
  ],
  [{ lines: { fallback: ['a.example'] } }, 'lines.fallback 须恰好有 4 个主机，现为 ["a.example"]'],
  [
    { maintenance: [{ from: '2026-12-01T08:00', reason: 'x' }] },
    'maintenance[0].from 须为带时区的时间，例如 "2026-12-01T08:00+08:00"，现为 "2026-12-01T08:00"',
  ],
  [{ brand: { email: 'service' } }, 'brand.email 须为邮箱地址，现为 "service"'],
  [
    { brand: { name: 88 } },
    'brand.name 须为文字，或按语言填写的对象，例如 { "default": "…", "en": "…" }，现为 88',
  ],
  [
    { images: { logo: '../logo.svg' } },
    'images.logo 须为站点目录内的路径，例如 "images/logo.svg"，现为 "../logo.svg"',
  ],
])('a mistake that is made often is told in Chinese: %j', (part, sentence) => {
  expect(check(part)).toContain(sentence);
});

test('a key that is missing is told in Chinese', () => {
  const [first] = describeIssues(schema, v.safeParse(schema, {}).issues ?? []);
  expect(translateFault(first?.message ?? '')).toBe('brand 未填写，请写上 "brand": { … }');
});

test('a JSON file that is too large is told in Chinese', () => {
  const english = 'site.json: a JSON file may have at most 1,000,000 bytes, and this has 1,000,001';
  expect(translateFault(english)).toBe('site.json: JSON 文件最多 1,000,000 字节，此文件的字节数为 1,000,001');
});

test('what a person has typed stays as it is', () => {
  const english = 'theme.accent must be a colour such as "#e0b34c", got " must be a text, got it"';
  expect(translateFault(english)).toBe(
    'theme.accent 须为颜色，例如 "#e0b34c"，现为 " must be a text, got it"',
  );
  const image = 'images.share must be an image in the site folder, got "a.png": there is no such file';
  expect(translateFault(`${image} (the key may be left out)`)).toBe(
    'images.share 须为站点目录中的图片，现为 "a.png"：没有这个文件',
  );
});
