import { describe, expect, test } from 'vitest';
import type { PageImage, PageRequest, PageSite } from '../../../contract/page/page-data.ts';
import { textsFor } from '../texts/texts-for.ts';
import { renderCompliance } from './plain-html.ts';
import { createFillCampaign, renderCampaignBody, renderCampaignHead } from './fill-campaign.ts';
import { createPageData, parsePageData, renderPageData } from './page-data.ts';
import { renderDocument } from './render-document.ts';

const imageOf = (name: string): PageImage => ({ url: `/site/${name}.jpg`, size: undefined, sources: [] });
const site: PageSite = {
  languages: [
    { locale: 'zh-CN', name: '简体中文' },
    { locale: 'ar', name: 'العربية' },
  ],
  defaultLocale: 'zh-CN',
  brand: {
    name: 'Polaris',
    mainBrowser: 'Polar Browser',
    androidBrowser: 'Polar Lite',
    email: 'service@example.com',
    copyright: '© Polaris',
  },
  publicUrl: 'https://go.example/x',
  downloads: ['ub', 'wallet', 'esb', 'tg'],
  builtInTexts: 'en',
  texts: { title: 'Lines of {brand} "&" more' },
  announcement: undefined,
  maintenance: undefined,
  theme: { beams: false },
  images: {
    logo: imageOf('logo'),
    promo: imageOf('promo'),
    bannerMobile: imageOf('mobile'),
    bannerDesktop: imageOf('desktop'),
    share: imageOf('share'),
  },
  lines: { marker: 'm', markerHeader: 'server', fallback: [], ports: [] },
  typeRedirect: { allowedHosts: [] },
  redirect: { keepQuery: false },
  start: 'calls',
  mayKeep: false,
  prefetch: 'fastest',
  services: { callerAddress: '' },
  analytics: { measurementId: '', tagUrl: '', counts: 'off', countsWithoutConsent: false },
  monitoring: { intakeUrl: '', sessionPercent: 100, replayPercent: 20, maskText: false },
  consent: 'not-required',
  compliance: {
    operator: 'Polaris Ltd',
    licence: { statement: 'Licence 1', url: 'https://licence.example/' },
    minimumAge: 18,
    responsiblePlayUrl: 'https://play.example/',
  },
};

function createRequest(change: Partial<PageRequest>, siteChange: Partial<PageSite> = {}): PageRequest {
  return {
    kind: 'landing',
    locale: 'zh-CN',
    direction: 'ltr',
    links: {},
    fallbackAddresses: [],
    closing: undefined,
    ...change,
    site: { ...site, ...siteChange },
  };
}

function render(change: Partial<PageRequest>, siteChange: Partial<PageSite> = {}): string {
  const request = createRequest(change, siteChange);
  return renderDocument(request, textsFor(request.site, 'ltr'), { body: '', styles: [] }).html;
}

describe('a page', () => {
  test('says in which language it is, and which way that is written', () => {
    expect(render({ locale: 'zh-CN', direction: 'ltr' })).toContain('<html lang="zh-CN" dir="ltr">');
    expect(render({ locale: 'ar', direction: 'rtl' })).toContain('<html lang="ar" dir="rtl">');
  });

  test('names its title and share image in its own language', () => {
    const html = render({ locale: 'ar' });
    expect(html).toContain('<title>Lines of Polaris &quot;&amp;&quot; more</title>');
    expect(html).toContain('<meta property="og:image" content="https://go.example/site/share.jpg">');
  });
});

test('no line of the footer without React can begin with a dot', () => {
  const request = createRequest({ kind: 'not-found' });
  const footer = renderCompliance(request, textsFor(request.site, 'ltr'));
  expect(footer.match(/.·./g)).toEqual(['\u00A0· ', '\u00A0· ', '\u00A0· ']);
});

test('names in another direction than the page do not disorder the footer without React', () => {
  const request = createRequest({ kind: 'not-found' });
  const footer = renderCompliance(request, textsFor(request.site, 'rtl'));
  expect(footer).toContain('<bdi>Polaris Ltd</bdi>');
  expect(footer).toMatch(/<bdi><a [^>]*>Licence 1<\/a><\/bdi>/);
});

describe('search engines', () => {
  const ALTERNATES = [
    '<link rel="alternate" hreflang="x-default" href="https://go.example/">',
    '<link rel="alternate" hreflang="zh-CN" href="https://go.example/">',
    '<link rel="alternate" hreflang="ar" href="https://go.example/?lang=ar">',
  ];
  const linksOf = (html: string): readonly string[] =>
    html.match(/<link rel="(?:alternate|canonical)".*?>/g) ?? [];

  test('are told the address of the landing page in each language, by whichever they read', () => {
    expect(linksOf(render({ locale: 'zh-CN' }))).toEqual([
      '<link rel="canonical" href="https://go.example/">',
      ...ALTERNATES,
    ]);
    expect(linksOf(render({ locale: 'ar' }))).toEqual([
      '<link rel="canonical" href="https://go.example/?lang=ar">',
      ...ALTERNATES,
    ]);
  });

  test('are told nothing by pages that they must not list, nor where the address is not known', () => {
    for (const kind of ['type-redirect', 'not-found'] as const) expect(linksOf(render({ kind }))).toEqual([]);
    expect(linksOf(render({}, { publicUrl: '' }))).toEqual([]);
  });

  test('are told of no other language where there is none', () => {
    const languages = [{ locale: 'zh-CN', name: '简体中文' }];
    expect(linksOf(render({}, { languages }))).toEqual(['<link rel="canonical" href="https://go.example/">']);
  });
});

test('a page of a campaign is filled at its slots, also if a text of the site is the same as one of them', () => {
  const request = createRequest({ isCampaign: true });
  const data = { brand: '@campaign', ...createPageData(request) };
  const html = renderPageData(data) + renderCampaignHead(request) + renderCampaignBody(request);
  const campaign = { code: 'spring', end: {} };
  const fill = createFillCampaign(html, { request, texts: textsFor(site, 'ltr') });
  const filled = fill({ data: campaign, share: { path: '/c/spring' }, note: 'ended' });
  expect(parsePageData(filled)).toMatchObject({ brand: '@campaign', campaign });
  expect(filled).toContain('<meta property="og:title"');
  expect(filled).toContain('<aside id="campaign-note">');
});
