import { expect, test } from 'vitest';
import { nameLanguage } from './name-language.ts';

test.each([
  ['zh-CN', 'en', 'Simplified Chinese (zh-CN)'],
  ['zh-HK', 'zh-CN', '繁体中文 (zh-HK)'],
  ['pt-BR', 'en', 'Brazilian Portuguese (pt-BR)'],
  ['en', 'zh-CN', '英语 (en)'],
  // Nobody speaks these.
  ['qaa', 'en', 'qaa'],
  ['not a tag', 'en', 'not a tag'],
] as const)('%s is named in %s', (tag, language, name) => {
  expect(nameLanguage(tag, language)).toBe(name);
});
