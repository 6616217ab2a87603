import type { Handler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import {
  CONSOLE_LANGUAGES,
  type ConsoleLanguage,
  findConsoleLanguage,
} from '../../../contract/console-language.ts';
import { CONSOLE_LANGUAGE_COOKIE } from '../../../contract/page/storage-keys.ts';
import { buildConsoleHeaders } from '../../http/security-headers.ts';
import type { Credentials } from '../../people/change-account.ts';
import type { Accounts } from '../../people/create-accounts.ts';
import type { Sessions } from '../../people/open-sessions.ts';
import type { ConsoleUrls } from '../../site/load-web-build.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import { type Access, readCookies } from '../access/guard-access.ts';
import type { OperatorContext, OperatorEnv, OperatorRequest } from '../access/operator-request.ts';
import { describeBrand } from './brand-routes.ts';
import type { SignInPage } from './render-pages.ts';

/** What the login form and the form of an invitation need. */
export type SignInDeps = {
  readonly access: Access;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly urls: ConsoleUrls;
  readonly site: () => Pick<PublishedSite, 'config'>;
};

/** Who signed in, as a session needs to know it. */
export type SignedIn = { readonly person: string | undefined; readonly epoch: number };

export const SIGN_IN_HEADERS = { ...buildConsoleHeaders(), 'Cache-Control': 'no-store' };
const MAX_FORM_BYTES = 8_192;
const NO_FORM = new URLSearchParams();

/** Reads a form of bounded size. One that is too large, or that does not arrive whole, is empty. */
export function readForm(
  answer: (c: OperatorContext, form: URLSearchParams) => Promise<Response>,
): readonly [Handler<OperatorEnv>, Handler<OperatorEnv>] {
  return [
    bodyLimit({ maxSize: MAX_FORM_BYTES, onError: (c) => answer(c, NO_FORM) }),
    async (c) => answer(c, new URLSearchParams(await c.req.text().catch(() => ''))),
  ];
}

export function readCredentials(form: URLSearchParams): Credentials {
  return { password: form.get('password') ?? '', code: form.get('code') ?? '' };
}

/** Starts a session. Returns its `Set-Cookie` header. */
export function startSession(
  { sessions }: Pick<SignInDeps, 'sessions'>,
  request: OperatorRequest,
  { person, epoch }: SignedIn,
): Promise<string> {
  const { prefix, isSecure } = request;
  return sessions.start({ person, epoch, prefix, isSecure }, readCookies(request));
}

export function describePage(
  c: OperatorContext,
  { urls, site }: Pick<SignInDeps, 'urls' | 'site'>,
): SignInPage {
  const language = readLanguage(c);
  return { urls, language, brand: describeBrand(site(), language) };
}

/** The language that the operator chose in the console, or else the first of the browser's that the console speaks. */
export function readLanguage(c: OperatorContext): ConsoleLanguage {
  const chosen = getCookie(c, CONSOLE_LANGUAGE_COOKIE);
  const accepted = parseAccept(c.req.header('Accept-Language') ?? '').filter(({ q }) => q > 0);
  return (
    CONSOLE_LANGUAGES.find((language) => language === chosen) ??
    findConsoleLanguage(accepted.map(({ type }) => type))
  );
}
