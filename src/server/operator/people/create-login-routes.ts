import type { Handler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  CONSOLE_LANGUAGES,
  type ConsoleLanguage,
  findConsoleLanguage,
} from '../../../contract/console-language.ts';
import { findConsoleTheme } from '../../../contract/console-theme.ts';
import { CONSOLE_LANGUAGE_COOKIE, CONSOLE_THEME_COOKIE } from '../../../contract/page/storage-keys.ts';
import { LANDING_PATH } from '../../../contract/paths.ts';
import { LISTENER_TOKEN_NAME, UNKNOWN_NAME } from '../../../contract/people.ts';
import { answerRedirect } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import { buildConsoleHeaders } from '../../http/security-headers.ts';
import type { Accounts } from '../../people/create-accounts.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import { findPerson } from '../../people/manage-people.ts';
import type { PeopleStore } from '../../people/open-people-store.ts';
import type { Sessions } from '../../people/open-sessions.ts';
import { readCode } from '../../process/read-code.ts';
import type { PreviewAccess } from '../../preview/open-preview.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import type { ConsoleUrls } from '../../site/load-web-build.ts';
import { UncertainCommitError, isAway } from '../../store/database.ts';
import {
  type OperatorContext,
  type OperatorEnv,
  type OperatorRequest,
  findListenerOrigin,
} from '../access/operator-request.ts';
import { type Access, readCookies } from '../access/guard-access.ts';
import { answerRefusal } from '../answer-refusal.ts';
import type { Feed } from '../overview/open-feed.ts';
import { renderInvitationPage, renderOverPage, renderWelcomePage } from './render-invitation.ts';
import { describeBrand } from './brand-routes.ts';
import { type LoginProblem, type SignInPage, renderConsolePage, renderLoginPage } from './render-pages.ts';

export type LoginDeps = {
  readonly access: Access;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly store: Pick<PeopleStore, 'read'>;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly feed: Pick<Feed, 'endStreamsOf'>;
  readonly urls: ConsoleUrls;
  readonly site: () => Pick<PublishedSite, 'config'>;
  /** Undefined where drafts cannot be previewed. */
  readonly preview: PreviewAccess | undefined;
};

/** The handlers of the console's page, of its login form and logout button, and of an invitation. */
export type LoginRoutes = {
  /** Sends the console, or the login form if nobody has signed in. */
  readonly answerConsole: Handler<OperatorEnv>;
  readonly logIn: readonly [Handler<OperatorEnv>, Handler<OperatorEnv>];
  readonly logOut: Handler<OperatorEnv>;
  readonly showInvitation: Handler<OperatorEnv>;
  readonly acceptInvitation: readonly [Handler<OperatorEnv>, Handler<OperatorEnv>];
};

type LoginAnswer = {
  readonly status: ContentfulStatusCode;
  readonly problem?: LoginProblem;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Who signed in, as a session and the audit log need to know it. */
type Arrival = { readonly name: string; readonly person: string | undefined; readonly epoch: number };

const MAX_FORM_BYTES = 8_192;
const PAGE_HEADERS = {
  ...buildConsoleHeaders(),
  'Cache-Control': 'no-store',
};
const NO_FORM = new URLSearchParams();

export function createLoginRoutes(deps: LoginDeps): LoginRoutes {
  const { access, accounts, sessions, store, audit, feed, urls, site, preview } = deps;
  return {
    answerConsole: (c) => {
      try {
        access.identify(c.get('request'));
      } catch (error) {
        if (error instanceof HttpError && error.status === 401) return answerLogin(c, { status: 401 });
        throw error;
      }
      const policy = buildConsoleHeaders(preview?.findOrigin(findListenerOrigin(c)));
      const headers = { ...PAGE_HEADERS, ...policy };
      const theme = findConsoleTheme(getCookie(c, CONSOLE_THEME_COOKIE));
      return c.html(renderConsolePage(urls, { language: readLanguage(c), theme }), 200, headers);
    },
    // Too large a form is a wrong guess, like any other.
    logIn: readForm(logIn),
    logOut: async (c) => {
      const request = c.get('request');
      access.checkForm(request);
      const session = sessions.find(readCookies(request));
      const cookie = await sessions.end(readCookies(request));
      // After that: a page whose stream ends asks for another one, and must not leave before it has the answer.
      if (session !== undefined) {
        feed.endStreamsOf(session.id);
        audit.write({
          by: session.person ?? LISTENER_TOKEN_NAME,
          action: 'signed-out',
          prefix: request.prefix,
        });
      }
      return answerWithCookie(c, cookie);
    },
    showInvitation: (c) => {
      const invitation = accounts.openInvitation(c.req.query('key') ?? '');
      const page = describePage(c);
      if (invitation === undefined) return c.html(renderOverPage(page), 410, PAGE_HEADERS);
      const key = c.req.query('key') ?? '';
      return c.html(renderInvitationPage(page, { key, invitation }), 200, PAGE_HEADERS);
    },
    acceptInvitation: readForm(acceptInvitation),
  };

  async function logIn(c: OperatorContext, form: URLSearchParams): Promise<Response> {
    const request = c.get('request');
    const { prefix } = request;
    access.checkForm(request);
    try {
      const arrival =
        access.form() === 'token' ? await tryToken(request, form) : await tryPassword(request, form);
      if (arrival === undefined) {
        audit.write({ by: nameFor(form), action: 'sign-in-failed', prefix });
        const kind = access.form() === 'token' ? 'wrong-token' : 'wrong-sign-in';
        return answerLogin(c, { status: 401, problem: { kind } });
      }
      audit.write({ by: arrival.name, action: 'signed-in', prefix });
      return answerWithCookie(c, await startSession(request, arrival));
    } catch (error) {
      const code = readCode(error);
      if (code === 'recovery-code-away' || code === 'store-uncertain')
        return answerLogin(c, { status: 503, problem: { kind: code } });
      const refusal = answerRefusal(error);
      const seconds = refusal instanceof HttpError && refusal.headers['Retry-After'];
      if (!(refusal instanceof HttpError) || !seconds) throw error;
      const { status, headers } = refusal;
      if (status === 429) audit.write({ by: nameFor(form), action: 'sign-in-limited', prefix });
      return answerLogin(c, { status, problem: { kind: 'too-many-tries', seconds }, headers });
    }
  }

  async function tryToken(request: OperatorRequest, form: URLSearchParams): Promise<Arrival | undefined> {
    const isRight = await access.isListenerToken(form.get('token') ?? '', request);
    return isRight ? { name: LISTENER_TOKEN_NAME, person: undefined, epoch: access.tokenEpoch } : undefined;
  }

  async function tryPassword(request: OperatorRequest, form: URLSearchParams): Promise<Arrival | undefined> {
    const credentials = { password: form.get('password') ?? '', code: form.get('code') ?? '' };
    const person = await access.limitCaller(request, () =>
      accounts.signIn(readName(form), credentials, request),
    );
    return person && { name: person.name, person: person.name, epoch: person.epoch };
  }

  function nameFor(form: URLSearchParams): string {
    if (access.form() === 'token') return LISTENER_TOKEN_NAME;
    return findPerson(store.read(), readName(form))?.name ?? UNKNOWN_NAME;
  }

  async function acceptInvitation(c: OperatorContext, form: URLSearchParams): Promise<Response> {
    const request = c.get('request');
    access.checkForm(request);
    const page = describePage(c);
    const key = form.get('key') ?? '';
    const credentials = { password: form.get('password') ?? '', code: form.get('code') ?? '' };
    const acceptance = await accounts.acceptInvitation(key, credentials, request).catch(refuseForStore);
    if (acceptance.kind === 'done') {
      const { person, codes } = acceptance;
      c.header(
        'Set-Cookie',
        await startSession(request, { name: person.name, person: person.name, epoch: person.epoch }),
      );
      return c.html(renderWelcomePage(page, codes), 200, PAGE_HEADERS);
    }
    const { problem } = acceptance;
    const invitation = accounts.openInvitation(key);
    if (invitation === undefined || problem === 'invitation-over') {
      return c.html(renderOverPage(page), 410, PAGE_HEADERS);
    }
    const isBusy = ['store-away', 'store-uncertain', 'too-many-sign-ins'].includes(problem);
    const status = isBusy ? 503 : 400;
    return c.html(renderInvitationPage(page, { key, invitation, problem }), status, PAGE_HEADERS);
  }

  function describePage(c: OperatorContext): SignInPage {
    const language = readLanguage(c);
    return { urls, language, brand: describeBrand(site(), language) };
  }

  function startSession(request: OperatorRequest, { person, epoch }: Arrival): Promise<string> {
    const { prefix, isSecure } = request;
    return sessions.start({ person, epoch, prefix, isSecure }, readCookies(request));
  }

  function answerLogin(
    c: OperatorContext,
    { status, problem, headers }: LoginAnswer,
  ): Response | Promise<Response> {
    const page = renderLoginPage(describePage(c), { form: access.form(), problem });
    return c.html(page, status, { ...PAGE_HEADERS, 'WWW-Authenticate': 'Bearer', ...headers });
  }
}

/** An invitation is a page, so what cannot be done at this moment is told on it. */
function refuseForStore(error: unknown): {
  readonly kind: 'refused';
  readonly problem: 'store-away' | 'store-uncertain' | 'too-many-sign-ins';
} {
  if (readCode(error) === 'too-many-sign-ins') return { kind: 'refused', problem: 'too-many-sign-ins' };
  if (isAway(error)) return { kind: 'refused', problem: 'store-away' };
  if (error instanceof UncertainCommitError) return { kind: 'refused', problem: 'store-uncertain' };
  throw error;
}

/** Reads a form of bounded size. One that is too large, or that does not arrive whole, is empty. */
function readForm(
  answer: (c: OperatorContext, form: URLSearchParams) => Promise<Response>,
): readonly [Handler<OperatorEnv>, Handler<OperatorEnv>] {
  return [
    bodyLimit({ maxSize: MAX_FORM_BYTES, onError: (c) => answer(c, NO_FORM) }),
    async (c) => answer(c, new URLSearchParams(await c.req.text().catch(() => ''))),
  ];
}

/** Phones add a space after a word that they complete. */
function readName(form: URLSearchParams): string {
  return (form.get('name') ?? '').trim();
}

/** The language that the operator chose in the console, or else the first of the browser's that the console speaks. */
function readLanguage(c: OperatorContext): ConsoleLanguage {
  const chosen = getCookie(c, CONSOLE_LANGUAGE_COOKIE);
  const accepted = parseAccept(c.req.header('Accept-Language') ?? '').filter(({ q }) => q > 0);
  return (
    CONSOLE_LANGUAGES.find((language) => language === chosen) ??
    findConsoleLanguage(accepted.map(({ type }) => type))
  );
}

/** Gives a browser its cookie, and sends it back to the console with a GET. */
function answerWithCookie(c: OperatorContext, cookie: string): Response {
  c.header('Set-Cookie', cookie);
  return answerRedirect(c, LANDING_PATH, 303);
}
