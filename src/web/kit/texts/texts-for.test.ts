import { describe, expect, test } from 'vitest';
import { BUILT_IN_LOCALES } from '../../../contract/site/locales.ts';
import { TEXT_KEYS } from '../../../contract/site/text-keys.ts';
import { formatText } from './format-text.ts';
import { textsFor } from './texts-for.ts';

const brand = {
  name: 'Demo',
  mainBrowser: 'North',
  androidBrowser: 'Aurora',
  email: 'service@example.com',
  copyright: '© Demo',
};

describe('textsFor', () => {
  test.each(BUILT_IN_LOCALES)(
    'has every text in %s, and no place left open but those of the page',
    (builtInTexts) => {
      const texts = textsFor({ builtInTexts, texts: {}, brand }, 'ltr');
      for (const key of TEXT_KEYS) {
        expect(texts[key]).not.toBe('');
        expect(texts[key].replaceAll(/\{(?:n|name|age|time)\}/g, '')).not.toContain('{');
      }
    },
  );

  test('says exactly what the specification says', () => {
    expect(textsFor({ builtInTexts: 'zh-CN', texts: {}, brand }, 'ltr')).toMatchObject({
      officialLine: '官方线路{n}',
      retest: '重新测速',
      testing: '测速中',
      backup: '备用',
      aboveFiveSeconds: '大于5秒',
      aboveTwentySeconds: '大于20秒',
      hintUb: '推荐下载North，100%极速访问，安全畅玩',
      hintService: '如遇游戏无法进行，请联系在线客服',
    });
    expect(textsFor({ builtInTexts: 'en', texts: {}, brand }, 'ltr')).toMatchObject({
      officialLine: 'Official line {n}',
      retest: 'Retest speed',
      testing: 'testing',
      backup: 'backup',
      aboveFiveSeconds: 'above 5 seconds',
      aboveTwentySeconds: 'above 20 seconds',
      hintUb: 'We recommend North: 100% fast access, safe play',
      hintService: 'If a game cannot be played, contact online customer service',
    });
  });

  test('takes the texts of the site folder, names of the brand included', () => {
    const texts = { retest: 'Again', ubDownload: 'Get {mainBrowser}' };
    const shown = textsFor({ builtInTexts: 'zh-TW', texts, brand }, 'ltr');
    expect(shown).toMatchObject({ retest: 'Again', ubDownload: 'Get North', testing: '測速中' });
  });
});

describe('formatText', () => {
  test('fills the places that it has values for', () => {
    expect(formatText('Line {n} of {total}', { n: 2 })).toBe('Line 2 of {total}');
  });
});
