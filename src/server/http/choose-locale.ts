import { LOCALES, type Locale } from '../../contract/site/locales.ts';
import { LOCALE_COOKIE } from '../../contract/page/storage-keys.ts';
import type { AppRequest } from './exchange.ts';
import { parsePreferences, readCookie } from './parse-header.ts';

const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/;

/** Chooses the language of an answer: the one that the visitor chose before, then the browser's own order. */
export function chooseLocale(header: AppRequest['header'], fallback: Locale): Locale {
  const chosen = findLocale(readCookie(header('cookie'), LOCALE_COOKIE));
  return chosen ?? findAccepted(header('accept-language')) ?? fallback;
}

/** The locale of exactly this name, however it is cased. */
export function findLocale(name: string | null | undefined): Locale | undefined {
  return LOCALES.find((locale) => locale.toLowerCase() === name?.toLowerCase());
}

function findAccepted(acceptLanguage: string | undefined): Locale | undefined {
  if (acceptLanguage === undefined) return undefined;
  return parsePreferences(acceptLanguage)
    .map(({ name, weight }) => ({ locale: matchTag(name), weight }))
    .filter(({ locale, weight }) => locale !== undefined && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0]?.locale;
}

function matchTag(tag: string): Locale | undefined {
  if (TRADITIONAL.test(tag)) return 'zh-TW';
  if (tag === 'zh' || tag.startsWith('zh-')) return 'zh-CN';
  return tag === 'en' || tag.startsWith('en-') ? 'en' : undefined;
}
