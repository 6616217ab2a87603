import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import { LOCALE_COOKIE } from '../../contract/page/storage-keys.ts';
import { LOCALES, type Locale } from '../../contract/site/locales.ts';
import type { VisitContext } from './visit.ts';

const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/;

/** Chooses the language of an answer: the one that the visitor chose before, then the browser's own order. */
export function chooseLocale(c: VisitContext, fallback: Locale): Locale {
  const chosen = findLocale(getCookie(c, LOCALE_COOKIE));
  return chosen ?? findAccepted(c.req.header('Accept-Language')) ?? fallback;
}

/** The locale of exactly this name, however it is cased. */
export function findLocale(name: string | undefined): Locale | undefined {
  return LOCALES.find((locale) => locale.toLowerCase() === name?.toLowerCase());
}

function findAccepted(acceptLanguage = ''): Locale | undefined {
  return parseAccept(acceptLanguage)
    .filter(({ q }) => q > 0)
    .map(({ type }) => matchTag(type.toLowerCase()))
    .find((locale) => locale !== undefined);
}

function matchTag(tag: string): Locale | undefined {
  if (TRADITIONAL.test(tag)) return 'zh-TW';
  if (tag === 'zh' || tag.startsWith('zh-')) return 'zh-CN';
  return tag === 'en' || tag.startsWith('en-') ? 'en' : undefined;
}
