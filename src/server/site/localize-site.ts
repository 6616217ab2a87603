import type { PageRequest, PageSite } from '../../contract/page/page-data.ts';
import { type Localized, isByLocale, pickLocale } from '../../contract/site/by-locale.ts';
import { type LinksConfig, parseLinks } from '../../contract/site/links-config.ts';
import { BUILT_IN_LOCALES, FALLBACK_KEY, type Locale } from '../../contract/site/locales.ts';
import type { LocalizedConfig, SiteConfig } from '../../contract/site/site-config.ts';
import { createMatchLocale } from './match-locale.ts';
import type { Site } from './parse-site.ts';

export type TimedAnnouncement = LocalizedConfig['announcement'][Locale];

/** A site in one language: from here on, nobody needs to know that there are others. */
export type LocalizedSite = Pick<PageSite, 'builtInTexts' | 'texts'> & {
  readonly locale: Locale;
  readonly direction: PageRequest['direction'];
  readonly config: Omit<LocalizedConfig, 'texts' | 'announcement'>;
  /** That of the language, and that of all languages. */
  readonly announcements: readonly TimedAnnouncement[];
  readonly links: LinksConfig;
};

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

const matchBuiltIn = createMatchLocale(BUILT_IN_LOCALES);

/** Takes from a site what it shows in one language. */
export function localizeSite(
  { config, links }: Pick<Site, 'config' | 'links'>,
  locale: Locale,
): LocalizedSite {
  const { texts: _texts, announcement, ...others } = config;
  return {
    locale,
    direction: RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr',
    config: localize(others, locale),
    ...chooseTexts(config, locale),
    announcements: [announcement[locale], announcement[FALLBACK_KEY]].filter((one) => one !== undefined),
    links: parseLinks(localize(links, locale)) ?? {},
  };
}

/** Whether we have the texts of a language. Otherwise those that the site folder does not have come from another one. */
export function hasBuiltInTexts(locale: Locale): boolean {
  return matchBuiltIn(locale) !== undefined;
}

/**
 * The site folder's texts come first, then ours. In a language that we do not have, those of the default language follow,
 * and English if we do not have that one either.
 */
function chooseTexts(
  { texts, defaultLocale }: Pick<SiteConfig, 'texts' | 'defaultLocale'>,
  locale: Locale,
): Pick<LocalizedSite, 'builtInTexts' | 'texts'> {
  const builtInTexts = matchBuiltIn(locale);
  if (builtInTexts !== undefined) return { builtInTexts, texts: texts[locale] ?? {} };
  return {
    builtInTexts: matchBuiltIn(defaultLocale) ?? 'en',
    texts: { ...texts[defaultLocale], ...texts[locale] },
  };
}

/** Replaces each value by language, however deep, by that of one language. */
function localize<T>(value: T, locale: Locale): Localized<T> {
  const localizePart = (part: unknown): unknown => {
    if (isByLocale(part)) return pickLocale(part, locale);
    if (Array.isArray(part)) return part.map(localizePart);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, localizePart(inner)]));
  };
  // What it does to the value is what the type does to its type.
  return localizePart(value) as Localized<T>;
}
