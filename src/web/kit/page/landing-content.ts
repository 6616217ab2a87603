import type { LinksConfig } from '../../../contract/site/links-config.ts';
import type { Locale } from '../../../contract/site/locales.ts';
import type { PageRequest, PageSite } from '../../../contract/page/page-data.ts';
import type { TextKey } from '../../../contract/site/text-keys.ts';
import type { PageData } from '../document/page-data.ts';
import type { ObservationSettings } from '../../landing/start-observation.ts';
import type { Texts } from '../texts/texts.ts';

/** Everything that the landing page shows apart from what it measures, in one language. */
export type LandingContent = {
  readonly locale: Locale;
  readonly texts: LandingTexts;
  readonly brand: Pick<PageSite['brand'], 'name' | 'email' | 'copyright'>;
  readonly images: Omit<PageSite['images'], 'favicon' | 'share'>;
  /** As they were when the page was rendered; the loaded ones take their place. */
  readonly links: LinksConfig;
  readonly announcement: Announcement | undefined;
  readonly compliance: PageSite['compliance'];
};

/** What travels inside the landing page: what it shows, and what watches it. */
export type LandingData = PageData & {
  readonly content: LandingContent;
  readonly observation: ObservationSettings;
};

/** Texts that stand in the head, on other pages, or in a question that is seldom asked: they are not carried along. */
const FOREIGN_TEXTS = [
  'title',
  'description',
  'restrictedTitle',
  'home',
  'noneReachable',
  'enter',
  'choosing',
  'targetFailed',
  'notFound',
  'consentTitle',
  'consentText',
  'consentAgree',
  'consentRefuse',
] as const satisfies readonly TextKey[];

export type LandingTexts = Omit<Texts, (typeof FOREIGN_TEXTS)[number]>;

export type Announcement = {
  readonly text: string;
  readonly url?: string | undefined;
};

/** Picks what the landing page shows out of what the server knows. */
export function createLandingContent({ locale, site, links }: PageRequest, texts: Texts): LandingContent {
  const { name, email, copyright } = site.brand;
  const { favicon: _favicon, share: _share, ...images } = site.images;
  return {
    locale,
    texts: pickTexts(texts),
    brand: { name, email, copyright },
    images,
    links,
    announcement: site.announcement[locale],
    compliance: site.compliance,
  };
}

function pickTexts(texts: Texts): LandingTexts {
  const foreign = new Set<string>(FOREIGN_TEXTS);
  // What is left has every other key.
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !foreign.has(key))) as LandingTexts;
}
