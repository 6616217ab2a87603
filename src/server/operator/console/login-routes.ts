import type { Handler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { CONSOLE_LANGUAGES, type ConsoleLanguage, findConsoleLanguage } from '../../../contract/console.ts';
import { CONSOLE_LANGUAGE_COOKIE } from '../../../contract/page/storage-keys.ts';
import { LANDING_PATH } from '../../../contract/paths.ts';
import { answerRedirect } from '../../http/answer.ts';
import { readConnection } from '../../http/create-app.ts';
import { HttpError } from '../../http/errors.ts';
import { buildConsoleHeaders } from '../../http/security-headers.ts';
import type { VisitContext, VisitEnv } from '../../portal/visit.ts';
import type { ConsoleUrls } from '../../site/load-web-build.ts';
import type { Access } from '../access/guard-access.ts';
import type { Feed } from './open-feed.ts';
import { type LoginProblem, renderConsolePage, renderLoginPage } from './render-pages.ts';

export type LoginDeps = {
  readonly access: Access;
  readonly feed: Pick<Feed, 'endStreamsOf'>;
  readonly urls: ConsoleUrls;
};

/** The handlers of the console's page, of its login form and of its logout button. */
export type LoginRoutes = {
  /** Sends the console, or the login form to whoever has not given the token. */
  readonly answerConsole: Handler<VisitEnv>;
  readonly logIn: readonly [Handler<VisitEnv>, Handler<VisitEnv>];
  readonly logOut: Handler<VisitEnv>;
};

type LoginAnswer = {
  readonly status: ContentfulStatusCode;
  readonly problem?: LoginProblem;
  readonly headers?: Readonly<Record<string, string>>;
};

const MAX_FORM_BYTES = 4_096;
const PAGE_HEADERS = { ...buildConsoleHeaders(), 'Cache-Control': 'no-store' };

export function createLoginRoutes({ access, feed, urls }: LoginDeps): LoginRoutes {
  return {
    answerConsole: (c) => {
      try {
        access.check(readConnection(c));
      } catch (error) {
        if (error instanceof HttpError && error.status === 401) return answerLogin(c, { status: 401 });
        throw error;
      }
      return c.html(renderConsolePage(urls, readLanguage(c)), 200, PAGE_HEADERS);
    },
    logIn: [
      // Too large a form holds no token. It counts as a wrong guess, like any other.
      bodyLimit({ maxSize: MAX_FORM_BYTES, onError: (c) => tryToken(c, '') }),
      async (c) => {
        // A client that hangs up in the middle of the form has guessed, too.
        const form = await c.req.text().catch(() => '');
        return tryToken(c, new URLSearchParams(form).get('token') ?? '');
      },
    ],
    logOut: (c) => {
      const connection = readConnection(c);
      access.checkForm(connection);
      feed.endStreamsOf(access.nameCaller(connection));
      return answerWithCookie(c, access.logOut(connection, c.get('visit').isSecure));
    },
  };

  function tryToken(c: VisitContext, token: string): Response | Promise<Response> {
    const connection = readConnection(c);
    access.checkForm(connection);
    try {
      const cookie = access.logIn(token, connection, c.get('visit').isSecure);
      if (cookie !== undefined) return answerWithCookie(c, cookie);
      return answerLogin(c, { status: 401, problem: { kind: 'wrong-token' } });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const { status, headers } = error;
      const seconds = headers['Retry-After'] ?? '';
      return answerLogin(c, { status, problem: { kind: 'too-many-tries', seconds }, headers });
    }
  }

  function answerLogin(c: VisitContext, { status, problem, headers }: LoginAnswer) {
    return c.html(renderLoginPage(urls, { language: readLanguage(c), problem }), status, {
      ...PAGE_HEADERS,
      'WWW-Authenticate': 'Bearer',
      ...headers,
    });
  }
}

/** The language that the operator chose in the console, or else the first of the browser's that the console speaks. */
function readLanguage(c: VisitContext): ConsoleLanguage {
  const chosen = getCookie(c, CONSOLE_LANGUAGE_COOKIE);
  const accepted = parseAccept(c.req.header('Accept-Language') ?? '').filter(({ q }) => q > 0);
  return (
    CONSOLE_LANGUAGES.find((language) => language === chosen) ??
    findConsoleLanguage(accepted.map(({ type }) => type))
  );
}

/** Gives a browser its cookie, and sends it back to the console with a GET. */
function answerWithCookie(c: VisitContext, cookie: string): Response {
  if (cookie !== '') c.header('Set-Cookie', cookie);
  return answerRedirect(c, LANDING_PATH, 303);
}
