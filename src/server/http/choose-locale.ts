import { LOCALES, type Locale } from '../../contract/locales.ts';
import { LOCALE_COOKIE } from '../../contract/storage-keys.ts';
import type { AppRequest } from './exchange.ts';

const COOKIE = new RegExp(`(?:^|;\\s*)${LOCALE_COOKIE.replaceAll('.', '\\.')}=([\\w-]+)`);
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/;

/** Chooses the language of an answer: the one that the visitor chose before, then the browser's own order. */
export function chooseLocale(header: AppRequest['header'], fallback: Locale): Locale {
  const cookie = header('cookie');
  const chosen = cookie === undefined ? undefined : findLocale(COOKIE.exec(cookie)?.[1]);
  return chosen ?? findAccepted(header('accept-language')) ?? fallback;
}

/** The locale of exactly this name, however it is cased. */
export function findLocale(name: string | null | undefined): Locale | undefined {
  return LOCALES.find((locale) => locale.toLowerCase() === name?.toLowerCase());
}

function findAccepted(acceptLanguage: string | undefined): Locale | undefined {
  if (acceptLanguage === undefined) return undefined;
  const items = acceptLanguage.split(',');
  // Nothing outweighs a first choice without a weight, and nearly every browser sends one.
  const first = items[0] ?? '';
  const firstChoice = first.includes(';') ? undefined : matchTag(first);
  return firstChoice ?? findHeaviest(items);
}

function findHeaviest(items: readonly string[]): Locale | undefined {
  return items
    .map((item) => {
      const [tag = '', weight] = item.split(/\s*;\s*q=/i);
      return { locale: matchTag(tag), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ locale, weight }) => locale !== undefined && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0]?.locale;
}

function matchTag(given: string): Locale | undefined {
  const tag = given.trim().toLowerCase();
  if (TRADITIONAL.test(tag)) return 'zh-TW';
  if (tag === 'zh' || tag.startsWith('zh-')) return 'zh-CN';
  return tag === 'en' || tag.startsWith('en-') ? 'en' : undefined;
}
