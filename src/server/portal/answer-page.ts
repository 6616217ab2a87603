import { generateCookie } from 'hono/cookie';
import type { PageKind } from '../../contract/page/page-data.ts';
import { renderStartAnswers } from '../../contract/page/start-answers.ts';
import { LOCALE_COOKIE } from '../../contract/page/storage-keys.ts';
import { LANDING_PATH, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { guardTarget } from '../../engine/portal/guard-target.ts';
import { answerPrepared, answerRedirect, answerText } from '../http/answer.ts';
import { chooseLocale, findAskedLocale } from './choose-locale.ts';
import type { MakeStartAnswers } from './create-start-answers.ts';
import { type VisitContext, findClosing, readHostname } from './visit.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * Sends a page in the visitor's language, and remembers a language that was asked for. A page that has room for its start
 * answers gets them.
 */
export function answerPage(c: VisitContext, kind: PageKind, makeStartAnswers?: MakeStartAnswers): Response {
  const visit = c.get('visit');
  const page = visit.site.pages.get({
    kind,
    locale: chooseLocale(c),
    closing: findClosing(visit),
  });
  const start = page.start && makeStartAnswers?.(visit, page.start.links);
  const answer =
    page.start && start
      ? answerText(c, page.start.before + renderStartAnswers(start) + page.start.after, page.start.headers)
      : answerPrepared(c, page, kind === 'not-found' ? 404 : 200);
  rememberLocale(c, answer);
  return answer;
}

/** Remembers a language that was asked for. */
export function rememberLocale(c: VisitContext, answer: Response): void {
  const { isSecure } = c.get('visit');
  const asked = findAskedLocale(c);
  if (asked !== undefined) {
    const options = { maxAge: YEAR_SECONDS, sameSite: 'Lax', secure: isSecure } as const;
    answer.headers.append('Set-Cookie', generateCookie(LOCALE_COOKIE, asked, options));
  }
}

/** Lets `/t` work on allowed hosts only, and gives it a target if it has none. */
export function answerTypeRedirect(c: VisitContext): Response {
  const { allowedHosts } = c.get('visit').site.config.typeRedirect;
  const guarded = guardTarget({
    hostname: readHostname(c.req.header('host')),
    path: c.req.path,
    allowedHosts,
  });
  switch (guarded.kind) {
    case 'target':
      return answerPage(c, 'type-redirect');
    case 'default': {
      // With its query, which may name a language.
      const { search } = new URL(c.req.url);
      return answerRedirect(c, `${TYPE_REDIRECT_PATH}/${guarded.target}${search}`);
    }
    case 'refused':
      return answerRedirect(c, LANDING_PATH);
  }
}
