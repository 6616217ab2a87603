import * as v from 'valibot';
import { expect, test } from 'vitest';
import { describeSiteFault } from '../faults/describe-site-fault.ts';
import { findJsonFaults } from './find-json-faults.ts';
import { DEFAULT_LANGUAGES } from './locales.ts';
import { createSiteConfigSchema } from './site-config.ts';

const schema = createSiteConfigSchema(DEFAULT_LANGUAGES);

/** What is wrong with a part of `site.json`, in Chinese. What else is missing there does not matter. */
function check(part: object): readonly string[] {
  const [key = ''] = Object.keys(part);
  return findJsonFaults(schema, v.safeParse(schema, part).issues ?? [])
    .filter(({ path, code }) => path[0] === key && code !== 'missing-key')
    .map(({ path, ...fault }) =>
      describeSiteFault({ ...fault, place: { file: 'site.json', path } }, 'zh-CN'),
    );
}

test.each([
  [{ theme: { accent: 'gold' } }, 'theme.accent 须为颜色，例如 "#e0b34c"，现为 "gold"'],
  [{ theme: { acent: '#e0b34c' } }, 'theme.acent 不是可用的键，是否应为 "accent"？'],
  [
    { publicUrl: 'go.example.com' },
    'publicUrl 须为以 https:// 或 http:// 开头的完整网址，现为 "go.example.com"',
  ],
  [{ start: 'fast' }, 'start 须为 "calls"、"inline" 之一，现为 "fast"'],
  [{ monitoring: { replayPercent: 120 } }, 'monitoring.replayPercent 须为 0 到 100 之间的数字，现为 120'],
  [
    { lines: { hosts: ['line1.example/play'] } },
    'lines.hosts[0] 含有多余的路径，请只写 "line1.example"，现为 "line1.example/play"',
  ],
  [{ lines: { fallback: ['a.example'] } }, 'lines.fallback 须恰好有 4 个主机，现为 ["a.example"]'],
  [
    { brand: { name: 88 } },
    'brand.name 须为文字，或按语言填写的对象，例如 { "default": "…", "en": "…" }，现为 88',
  ],
  [{ alerts: { channels: [{ name: 'a', kind: 'moon' }] } }, /^alerts\.channels\[0\]\.kind 须为 "webhook"、/],
])('a mistake in site.json is told in Chinese: %j', (part, sentence) => {
  expect(check(part)).toContainEqual(
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  );
});
