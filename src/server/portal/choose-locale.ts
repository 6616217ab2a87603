import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import { LOCALE_COOKIE } from '../../contract/page/storage-keys.ts';
import type { Locale } from '../../contract/site/locales.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { VisitContext } from './visit.ts';

/** Chooses the language of an answer: the one asked for, then the one chosen before, then the browser's own order. */
export function chooseLocale(c: VisitContext): Locale {
  const { site } = c.get('visit');
  return (
    findAskedLocale(c) ??
    findLocale(getCookie(c, LOCALE_COOKIE), site) ??
    findAccepted(c.req.header('Accept-Language'), site) ??
    site.config.defaultLocale
  );
}

/** The language that the query names, if the site has it. */
export function findAskedLocale(c: VisitContext): Locale | undefined {
  return findLocale(c.req.query('lang'), c.get('visit').site);
}

/** The locale of exactly this name, however it is cased. */
function findLocale(name: string | undefined, { config }: PublishedSite): Locale | undefined {
  return config.locales.find((locale) => locale.toLowerCase() === name?.toLowerCase());
}

function findAccepted(acceptLanguage = '', { matchLocale }: PublishedSite): Locale | undefined {
  for (const { type, q } of parseAccept(acceptLanguage)) {
    const locale = q > 0 ? matchLocale(type) : undefined;
    if (locale !== undefined) return locale;
  }
  return undefined;
}
