import * as fc from 'fast-check';
import { writeSiteFault } from '../../contract/faults/describe-site-fault.ts';
import { describe, expect, test } from 'vitest';
import { TEXT_KEYS } from '../../contract/site/text-keys.ts';
import { textsFor } from '../../web/kit/texts/texts-for.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { localizeSite } from './localize-site.ts';
import { createPageSite } from './create-page-site.ts';
import { type Site, parseSite } from './parse-site.ts';

const imageOf = (path: string) => ({ url: path, size: undefined, sources: [] });

async function createSite(change: object, links?: object): Promise<Site> {
  const files = await createSiteFiles(
    (config) => {
      delete config.announcement;
      Object.assign(config, change);
    },
    links ? { 'json/link.json': JSON.stringify(links) } : {},
  );
  const { site, faults } = parseSite(files);
  if (site === undefined) throw new Error(faults.map((fault) => writeSiteFault(fault, 'en')).join('\n'));
  return site;
}

describe('localizeSite', () => {
  test('takes the value of the language, then the one for all others, then that of the default language', async () => {
    const site = await createSite(
      {
        locales: ['zh-CN', 'en', 'vi'],
        brand: {
          name: { default: 'Polaris', 'zh-CN': '北辰' },
          mainBrowser: { 'zh-CN': '北辰浏览器', en: 'Polar Browser' },
          androidBrowser: 'Aurora',
          email: { default: 'a@example.com', vi: 'vi@example.com' },
          copyright: '©',
        },
        compliance: {
          operator: { default: 'Polaris Ltd', vi: 'Công ty Polaris' },
          licence: { statement: 'x', url: { default: 'https://a.example/', en: 'https://en.a.example/' } },
          minimumAge: 18,
          responsiblePlayUrl: 'https://b.example/',
        },
      },
      { ub: { default: 'https://ub.example/', vi: 'https://vi.ub.example/' }, esb: 'https://esb.example/' },
    );
    const show = (locale: string) => {
      const { config, links } = localizeSite(site, locale);
      const { name, mainBrowser, email } = config.brand;
      return [name, mainBrowser, email, config.compliance.operator, config.compliance.licence.url, links.ub];
    };
    expect(show('zh-CN')).toEqual([
      '北辰',
      '北辰浏览器',
      'a@example.com',
      'Polaris Ltd',
      'https://a.example/',
      'https://ub.example/',
    ]);
    expect(show('en')).toEqual([
      'Polaris',
      'Polar Browser',
      'a@example.com',
      'Polaris Ltd',
      'https://en.a.example/',
      'https://ub.example/',
    ]);
    expect(show('vi')).toEqual([
      'Polaris',
      '北辰浏览器',
      'vi@example.com',
      'Công ty Polaris',
      'https://a.example/',
      'https://vi.ub.example/',
    ]);
    expect(localizeSite(site, 'vi').links).toEqual({
      ub: 'https://vi.ub.example/',
      esb: 'https://esb.example/',
    });
  });

  test('leaves no value by language behind, wherever it is', async () => {
    const value = { default: 'images/logo.svg', en: 'images/promo.svg' };
    const names = [
      'logo',
      'promo',
      'bannerMobile',
      'bannerDesktop',
      'walletQr',
      'telegramQr',
      'favicon',
      'share',
    ];
    const site = await createSite({ images: Object.fromEntries(names.map((name) => [name, value])) });
    const { config } = localizeSite(site, 'en');
    expect(config.images).toEqual(Object.fromEntries(names.map((name) => [name, 'images/promo.svg'])));
    expect(JSON.stringify(localizeSite(site, 'zh-TW'))).not.toContain('by-locale');
  });

  test('takes the announcement of the language, and then that of all languages', async () => {
    const both = await createSite({ announcement: { default: { text: 'x' }, en: { text: 'y' } } });
    expect(localizeSite(both, 'en').announcements).toEqual([{ text: 'y' }, { text: 'x' }]);
    expect(localizeSite(both, 'zh-TW').announcements).toEqual([{ text: 'x' }]);
    const one = await createSite({ announcement: { 'zh-CN': { text: 'x' } } });
    expect(localizeSite(one, 'en').announcements).toEqual([]);
  });

  test.each([
    ['ar', 'rtl'],
    ['he', 'rtl'],
    ['fa-IR', 'rtl'],
    ['ur', 'rtl'],
    ['ckb', 'rtl'],
    ['pa-PK', 'rtl'],
    ['az-Arab', 'rtl'],
    ['az', 'ltr'],
    ['pa', 'ltr'],
    ['th', 'ltr'],
    ['zh-TW', 'ltr'],
    ['sr-Latn', 'ltr'],
  ])('writes %s %s', async (locale, direction) => {
    const site = await createSite({ locales: [locale], defaultLocale: locale });
    expect(localizeSite(site, locale).direction).toBe(direction);
  });
});

describe('the texts of a page', () => {
  const brand = { name: 'A', mainBrowser: 'B', androidBrowser: 'C', email: 'd@example.com', copyright: 'E' };
  const retestIn = async (change: object, locale: string) =>
    textsFor({ ...localizeSite(await createSite(change), locale), brand }, 'ltr').retest;

  test.each<[string, object, string, string]>([
    ['the site folder', { texts: { en: { retest: 'Mine' } } }, 'en', 'Mine'],
    ['ours', { texts: { 'zh-CN': { retest: '我' } } }, 'en', 'Retest speed'],
    ['ours of a related language', { locales: ['zh-CN', 'en-GB'] }, 'en-GB', 'Retest speed'],
    ['ours of the same script', { locales: ['zh-CN', 'zh-HK'] }, 'zh-HK', '重新測速'],
    [
      'the site folder in the default language',
      { locales: ['vi', 'en'], defaultLocale: 'en', texts: { en: { retest: 'Mine' } } },
      'vi',
      'Mine',
    ],
    ['ours in the default language', { locales: ['vi', 'zh-TW'], defaultLocale: 'zh-TW' }, 'vi', '重新測速'],
    ['our English', { locales: ['vi', 'th'], defaultLocale: 'th' }, 'vi', 'Retest speed'],
    [
      'the site folder, before the default language',
      {
        locales: ['vi', 'en'],
        defaultLocale: 'en',
        texts: { en: { retest: 'Mine' }, vi: { retest: 'Đo lại' } },
      },
      'vi',
      'Đo lại',
    ],
  ])('are those of %s', async (_, change, locale, expected) => {
    expect(await retestIn(change, locale)).toBe(expected);
  });

  test.each<[string, object, string, string]>([
    [
      'ours keep',
      { locales: ['ar', 'en'], defaultLocale: 'en' },
      'ar',
      '\u2066Your network may be blocking them. Try again, or use another network.\u2069',
    ],
    [
      'the default language’s keep',
      { locales: ['ar', 'vi'], defaultLocale: 'vi', texts: { vi: { noneHelp: 'Không.' } } },
      'ar',
      '\u2066Không.\u2069',
    ],
    [
      'those from right to left keep',
      { locales: ['ar', 'vi'], defaultLocale: 'ar', texts: { ar: { noneHelp: 'لا.' } } },
      'vi',
      '\u2067لا.\u2069',
    ],
    [
      'letters alone need not keep',
      { locales: ['ar', 'vi'], defaultLocale: 'vi', texts: { vi: { noneHelp: 'Không 5 {n}' } } },
      'ar',
      'Không 5 {n}',
    ],
    [
      'its own language’s have',
      { locales: ['ar', 'en'], defaultLocale: 'en', texts: { ar: { noneHelp: 'لا.' } } },
      'ar',
      'لا.',
    ],
  ])('on a page of the other direction: %s their own', async (_, change, locale, expected) => {
    const localized = localizeSite(await createSite(change), locale);
    expect(textsFor({ ...localized, brand }, localized.direction).noneHelp).toBe(expected);
  });

  test('are all there in every language, whatever part of them the site folder replaces', async () => {
    const locales = ['zh-CN', 'en', 'vi', 'ar', 'en-GB'];
    const site = await createSite({ locales });
    const texts = fc.dictionary(
      fc.constantFrom(...locales),
      fc.dictionary(fc.constantFrom(...TEXT_KEYS), fc.constantFrom('x', 'y {brand}')),
    );
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...locales),
        fc.constantFrom(...locales),
        (given, locale, defaultLocale) => {
          const config = { ...site.config, defaultLocale, texts: given };
          const page = createPageSite(localizeSite({ ...site, config }, locale), { imageOf, now: () => 0 });
          const shown = textsFor(page, 'ltr');
          for (const key of TEXT_KEYS) {
            expect(shown[key]).toBeTruthy();
            const own = given[locale]?.[key];
            if (own !== undefined) expect(shown[key]).toBe(own.replace('{brand}', page.brand.name));
          }
        },
      ),
    );
  });
});

describe('the languages of a page', () => {
  test('are named in themselves', async () => {
    const locales = ['zh-CN', 'zh-TW', 'en', 'vi', 'th', 'ar', 'pt-BR', 'ru', 'ka', 'tr', 'zh-Hant', 'qqq'];
    const { languages } = createPageSite(localizeSite(await createSite({ locales }), 'en'), {
      imageOf,
      now: () => 0,
    });
    expect(languages.map(({ name }) => name)).toEqual([
      '简体中文',
      '繁體中文',
      'English',
      'Tiếng Việt',
      'ไทย',
      'العربية',
      'Português (Brasil)',
      'Русский',
      'ქართული',
      'Türkçe',
      '繁體中文',
      'qqq',
    ]);
  });
});
