import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMatchLocale } from './create-match-locale.ts';

describe('createMatchLocale', () => {
  test.each<[string, string[], string | undefined]>([
    ['en', ['zh-CN', 'zh-TW', 'en'], 'en'],
    ['EN-gb', ['zh-CN', 'zh-TW', 'en'], 'en'],
    ['en-GB', ['en', 'en-GB'], 'en-GB'],
    ['en-GB-oxendict', ['en', 'en-GB'], 'en-GB'],
    ['en-AU', ['en-GB', 'en'], 'en'],
    ['en-AU', ['en-GB', 'en-US'], 'en-GB'],
    ['pt', ['en', 'pt-BR'], 'pt-BR'],
    ['pt-PT', ['en', 'pt-BR'], 'pt-BR'],
    ['pt-PT', ['pt-BR', 'pt-PT'], 'pt-PT'],
    ['zh', ['zh-TW', 'zh-CN'], 'zh-CN'],
    ['zh-SG', ['zh-TW', 'zh-CN'], 'zh-CN'],
    ['zh-Hans-HK', ['zh-TW', 'zh-CN'], 'zh-CN'],
    ...['zh-Hant', 'zh-TW', 'zh-HK', 'zh-MO', 'zh-Hant-SG'].map((tag): [string, string[], string] => [
      tag,
      ['zh-CN', 'en', 'zh-TW'],
      'zh-TW',
    ]),
    ['zh-HK', ['zh', 'zh-TW'], 'zh-TW'],
    ['zh-HK', ['zh-CN', 'zh-TW', 'zh-HK'], 'zh-HK'],
    ['zh-Hant-HK-x-y', ['zh-Hant', 'zh-Hant-HK'], 'zh-Hant-HK'],
    ['zh-TW', ['en', 'zh-CN'], 'zh-CN'],
    ['sr-Latn-RS', ['sr', 'sr-Latn'], 'sr-Latn'],
    ['english', ['en'], undefined],
    ['e', ['en'], undefined],
    ['*', ['en'], undefined],
    ['', ['en'], undefined],
    ['fr', ['zh-CN', 'zh-TW', 'en'], undefined],
  ])('takes %j of %j for %s', (tag, locales, expected) => {
    expect(createMatchLocale(locales)(tag)).toBe(expected);
  });

  test('finds each language of the list by its own name, however it is cased', () => {
    const tag = fc.constantFrom(
      'en',
      'en-GB',
      'pt',
      'pt-BR',
      'zh-CN',
      'zh-TW',
      'zh-Hant-HK',
      'zh',
      'sr',
      'sr-Latn',
    );
    fc.assert(
      fc.property(fc.uniqueArray(tag, { minLength: 1 }), fc.nat(), (locales, index) => {
        const locale = locales[index % locales.length] ?? '';
        const match = createMatchLocale(locales);
        expect(match(locale)).toBe(locale);
        expect(match(locale.toUpperCase())).toBe(locale);
      }),
    );
  });

  test('answers with a language of the list or with none, whatever it is asked', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('zh-', 'en-', ''), (text, start) => {
        expect(['zh-CN', 'zh-TW', 'en', undefined]).toContain(
          createMatchLocale(['zh-CN', 'zh-TW', 'en'])(start + text),
        );
      }),
    );
  });
});
