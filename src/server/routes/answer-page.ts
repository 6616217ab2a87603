import type { Context } from 'hono';
import type { PageKind } from '../../contract/page-data.ts';
import { LOCALE_COOKIE } from '../../contract/storage-keys.ts';
import { answerPrepared } from '../http/answer.ts';
import { chooseLocale, findLocale } from '../http/choose-locale.ts';
import { type AppEnv, type Visit, isRestricted } from '../http/visit.ts';

const YEAR_SECONDS = 31_536_000;

/** Sends a page in the visitor's language, and remembers a language that was asked for. */
export function answerPage(c: Context<AppEnv>, visit: Visit, kind: PageKind): Response {
  const asked = c.req.query('lang');
  const { header, site } = visit;
  const hints = { asked, cookie: header('cookie'), acceptLanguage: header('accept-language') };
  const locale = chooseLocale(hints, site.config.defaultLocale);
  const page = site.pages.get({ kind, locale, isRestricted: isRestricted(visit) });
  const status = kind === 'not-found' ? 404 : 200;
  if (findLocale(asked) === undefined) return answerPrepared(visit, page, { status });
  const cookie = `${LOCALE_COOKIE}=${locale}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  return answerPrepared(visit, page, {
    status,
    headers: { 'Set-Cookie': visit.isSecure ? `${cookie}; Secure` : cookie },
  });
}
