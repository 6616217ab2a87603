import type { LinksConfig } from '../../../contract/site/links-config.ts';
import type { Locale } from '../../../contract/site/locales.ts';
import type { Announcement, PageLanguage, PageRequest, PageSite } from '../../../contract/page/page-data.ts';
import type { TextKey, Texts } from '../../../contract/site/text-keys.ts';

/** What `/` and `/t` show, in one language: everything but what they measure. */
export type PageContent = {
  readonly locale: Locale;
  /** The languages to choose from, in the order of the site folder. */
  readonly languages: readonly PageLanguage[];
  readonly texts: PageTexts;
  readonly brand: Pick<PageSite['brand'], 'name' | 'email' | 'copyright'>;
  readonly images: Omit<PageSite['images'], 'favicon' | 'share'>;
  /** The links that the page was rendered with. The landing page replaces them by those that it loads. */
  readonly links: LinksConfig;
  /** The entries of the download area, in their order. */
  readonly downloads: PageSite['downloads'];
  readonly announcement: Announcement | undefined;
  readonly compliance: PageSite['compliance'];
};

/** The texts that are left out to save bytes: they are in the head, on other pages, or in a question that few pages ask. */
const OTHER_TEXTS = [
  'title',
  'description',
  'notMeasured',
  'maintenanceNote',
  'maintenanceEnd',
  'home',
  'enter',
  'choosing',
  'fastestOf',
  'proven',
  'targetFailed',
  'notFound',
  'notFoundText',
  'offline',
  'offlineOver',
  'awayTitle',
  'awayText',
  'consentTitle',
  'consentText',
  'consentAgree',
  'consentRefuse',
] as const satisfies readonly TextKey[];

export type PageTexts = Omit<Texts, (typeof OTHER_TEXTS)[number]>;

/** Picks what a page shows out of what the server knows. */
export function createPageContent({ locale, site, links }: PageRequest, texts: Texts): PageContent {
  const { name, email, copyright } = site.brand;
  const { favicon: _favicon, share: _share, ...images } = site.images;
  return {
    locale,
    languages: site.languages,
    texts: pickTexts(texts),
    brand: { name, email, copyright },
    images,
    links,
    downloads: site.downloads,
    announcement: site.announcement,
    compliance: site.compliance,
  };
}

function pickTexts(texts: Texts): PageTexts {
  const others = new Set<string>(OTHER_TEXTS);
  // The filter leaves exactly the keys of `PageTexts`.
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !others.has(key))) as PageTexts;
}
