import type { PageKind } from '../../contract/page/page-data.ts';
import { LOCALE_COOKIE } from '../../contract/page/storage-keys.ts';
import { answerPrepared } from '../http/answer.ts';
import { chooseLocale, findLocale } from '../http/choose-locale.ts';
import type { Answer } from '../http/exchange.ts';
import { type Visit, isRestricted } from './visit.ts';

const YEAR_SECONDS = 31_536_000;

/** Sends a page in the visitor's language, and remembers a language that was asked for. */
export function answerPage(visit: Visit, kind: PageKind): Answer {
  const { request, site, isSecure } = visit;
  const asked = request.query === '' ? undefined : findLocale(new URLSearchParams(request.query).get('lang'));
  const locale = asked ?? chooseLocale(request.header, site.config.defaultLocale);
  const page = site.pages.get({ kind, locale, isRestricted: isRestricted(visit) });
  const answer = answerPrepared(visit, page, kind === 'not-found' ? 404 : 200);
  if (asked === undefined) return answer;
  const cookie = `${LOCALE_COOKIE}=${asked}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  return { ...answer, headers: { ...answer.headers, 'Set-Cookie': isSecure ? `${cookie}; Secure` : cookie } };
}
