import type { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { findConsoleTheme } from '../../../contract/console-theme.ts';
import { CONSOLE_THEME_COOKIE } from '../../../contract/page/storage-keys.ts';
import { CONSOLE_PATHS, LANDING_PATH } from '../../../contract/paths.ts';
import { LISTENER_TOKEN_NAME, UNKNOWN_NAME } from '../../../contract/people.ts';
import { answerRedirect } from '../../http/answer.ts';
import { HttpError, refuseAllButGet, refuseAllButGetAndPost, refuseAllButPost } from '../../http/errors.ts';
import { buildConsoleHeaders } from '../../http/security-headers.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import { findPerson } from '../../people/manage-people.ts';
import type { PeopleStore } from '../../people/open-people-store.ts';
import type { PreviewAccess } from '../../preview/open-preview.ts';
import { readCode } from '../../../contract/read-code.ts';
import { readCookies } from '../access/guard-access.ts';
import { type OperatorContext, type OperatorEnv, findListenerOrigin } from '../access/operator-request.ts';
import { answerRefusal } from '../answer-refusal.ts';
import type { Feed } from '../overview/open-feed.ts';
import { type LoginProblem, renderConsolePage, renderLoginPage } from './render-pages.ts';
import {
  type SignedIn,
  SIGN_IN_HEADERS,
  type SignInDeps,
  describePage,
  readCredentials,
  readForm,
  readLanguage,
  startSession,
} from './sign-in-form.ts';

export type LoginRoutesDeps = SignInDeps & {
  readonly store: Pick<PeopleStore, 'read'>;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly feed: Pick<Feed, 'endStreamsOf'>;
  /** Undefined where drafts cannot be previewed. */
  readonly preview: PreviewAccess | undefined;
};

type LoginAnswer = {
  readonly status: ContentfulStatusCode;
  readonly problem?: LoginProblem;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The console's page, its login form, and the button to sign out. */
export function addLoginRoutes(app: Hono<OperatorEnv>, deps: LoginRoutesDeps): void {
  const { access, sessions, audit, feed, urls, preview } = deps;
  app.get(LANDING_PATH, answerConsole).all(refuseAllButGet);
  app
    // Somebody who reloads the page after a wrong password.
    .get(CONSOLE_PATHS.login, (c) => answerRedirect(c, LANDING_PATH))
    // Too large a form is a wrong guess, like any other.
    .post(...readForm(logIn))
    .all(refuseAllButGetAndPost);
  app.post(CONSOLE_PATHS.logout, logOut).all(refuseAllButPost);

  /** Sends the console, or the login form if nobody has signed in. */
  function answerConsole(c: OperatorContext): Response | Promise<Response> {
    try {
      access.identify(c.get('request'));
    } catch (error) {
      if (error instanceof HttpError && error.status === 401) return answerLogin(c, { status: 401 });
      throw error;
    }
    const policy = buildConsoleHeaders(preview?.findOrigin(findListenerOrigin(c)));
    const theme = findConsoleTheme(getCookie(c, CONSOLE_THEME_COOKIE));
    const page = renderConsolePage(urls, { language: readLanguage(c), theme });
    return c.html(page, 200, { ...SIGN_IN_HEADERS, ...policy });
  }

  async function logIn(c: OperatorContext, form: URLSearchParams): Promise<Response> {
    const request = c.get('request');
    const { prefix } = request;
    access.checkForm(request);
    try {
      const signedIn = await tryForm(c, form, deps);
      if (signedIn === undefined) {
        audit.write({ by: nameFor(form, deps), action: 'sign-in-failed', prefix });
        const kind = access.form() === 'token' ? 'wrong-token' : 'wrong-sign-in';
        return answerLogin(c, { status: 401, problem: { kind } });
      }
      audit.write({ by: signedIn.person ?? LISTENER_TOKEN_NAME, action: 'signed-in', prefix });
      return answerWithCookie(c, await startSession(deps, request, signedIn));
    } catch (error) {
      const code = readCode(error);
      if (code === 'recovery-code-away' || code === 'store-uncertain')
        return answerLogin(c, { status: 503, problem: { kind: code } });
      const refusal = answerRefusal(error);
      const seconds = refusal instanceof HttpError && refusal.headers['Retry-After'];
      if (!(refusal instanceof HttpError) || !seconds) throw error;
      const { status, headers } = refusal;
      if (status === 429) audit.write({ by: nameFor(form, deps), action: 'sign-in-limited', prefix });
      return answerLogin(c, { status, problem: { kind: 'too-many-tries', seconds }, headers });
    }
  }

  async function logOut(c: OperatorContext): Promise<Response> {
    const request = c.get('request');
    access.checkForm(request);
    const session = sessions.find(readCookies(request));
    const cookie = await sessions.end(readCookies(request));
    // After that: a page whose stream ends asks for another one, and must not leave before it has the answer.
    if (session !== undefined) {
      feed.endStreamsOf(session.id);
      const by = session.person ?? LISTENER_TOKEN_NAME;
      audit.write({ by, action: 'signed-out', prefix: request.prefix });
    }
    return answerWithCookie(c, cookie);
  }

  function answerLogin(
    c: OperatorContext,
    { status, problem, headers }: LoginAnswer,
  ): Response | Promise<Response> {
    const page = renderLoginPage(describePage(c, deps), { form: access.form(), problem });
    return c.html(page, status, { ...SIGN_IN_HEADERS, 'WWW-Authenticate': 'Bearer', ...headers });
  }
}

/** Tries what somebody typed: the token of the listener, or a name with a password and a code. Undefined if it is wrong. */
async function tryForm(
  c: OperatorContext,
  form: URLSearchParams,
  { access, accounts }: Pick<LoginRoutesDeps, 'access' | 'accounts'>,
): Promise<SignedIn | undefined> {
  const request = c.get('request');
  if (access.form() === 'token') {
    const isRight = await access.isListenerToken(form.get('token') ?? '', request);
    return isRight ? { person: undefined, epoch: access.tokenEpoch } : undefined;
  }
  const person = await access.limitCaller(request, () =>
    accounts.signIn(readName(form), readCredentials(form), request),
  );
  return person && { person: person.name, epoch: person.epoch };
}

/** Who has tried to sign in, for the audit log. */
function nameFor(
  form: URLSearchParams,
  { access, store }: Pick<LoginRoutesDeps, 'access' | 'store'>,
): string {
  if (access.form() === 'token') return LISTENER_TOKEN_NAME;
  return findPerson(store.read(), readName(form))?.name ?? UNKNOWN_NAME;
}

/** Phones add a space after a word that they complete. */
function readName(form: URLSearchParams): string {
  return (form.get('name') ?? '').trim();
}

/** Gives a browser its cookie, and sends it back to the console with a GET. */
function answerWithCookie(c: OperatorContext, cookie: string): Response {
  c.header('Set-Cookie', cookie);
  return answerRedirect(c, LANDING_PATH, 303);
}
