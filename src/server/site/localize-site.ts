import type { PageSite } from '../../contract/page/page-data.ts';
import { type Localized, isByLocale, pickLocale } from '../../contract/site/by-locale.ts';
import { type LinksConfig, parseLinks } from '../../contract/site/links-config.ts';
import {
  BUILT_IN_LOCALES,
  type Direction,
  FALLBACK_KEY,
  type Locale,
  directionOf,
  isolateText,
} from '../../contract/site/locales.ts';
import type { LocalizedConfig, SiteConfig, TextOverrides } from '../../contract/site/site-config.ts';
import { createMatchLocale } from './create-match-locale.ts';
import type { Site } from './parse-site.ts';

export type TimedAnnouncement = LocalizedConfig['announcement'][Locale];

/** A site in one language: from here on, nobody needs to know that there are others. */
export type LocalizedSite = Pick<PageSite, 'builtInTexts' | 'texts'> & {
  readonly locale: Locale;
  readonly direction: Direction;
  readonly config: Omit<LocalizedConfig, 'texts' | 'announcement'>;
  /** That of the language, and that of all languages. */
  readonly announcements: readonly TimedAnnouncement[];
  readonly links: LinksConfig;
};

const matchBuiltIn = createMatchLocale(BUILT_IN_LOCALES);

/** Takes from a site what it shows in one language. */
export function localizeSite(
  { config, links }: Pick<Site, 'config' | 'links'>,
  locale: Locale,
): LocalizedSite {
  const { texts: _texts, announcement, ...others } = config;
  return {
    locale,
    direction: directionOf(locale),
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
  const fallback = placeTexts(texts[defaultLocale] ?? {}, defaultLocale, locale);
  return { builtInTexts: matchBuiltIn(defaultLocale) ?? 'en', texts: { ...fallback, ...texts[locale] } };
}

/** The texts of one language, for a page of another one. */
function placeTexts(texts: TextOverrides, from: Locale, to: Locale): TextOverrides {
  const direction = directionOf(from);
  if (direction === directionOf(to)) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, isolateText(text, direction)]));
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
