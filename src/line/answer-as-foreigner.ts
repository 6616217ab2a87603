import type { StatusCode } from 'hono/utils/http-status';
import type { ForeignServer } from './line-behaviour.ts';
import { type LineContext, identityHeaders } from './speed-check.ts';

/** Another site. It is no line and answers with an error status. */
const ELSEWHERE = 'elsewhere.localhost';
const LOGIN_PATH = '/login';

/** Answers any request as somebody else's server does, who knows nothing of speed checks. */
export function answerAsForeigner(c: LineContext, foreigner: ForeignServer): Response {
  const { host, protocol, port } = new URL(c.req.url);
  const elsewhere = `${ELSEWHERE}${port && `:${port}`}/`;
  switch (foreigner) {
    case 'no-cors':
      return answerPage(c, 404, '404 Not Found', { Server: 'nginx' });
    case 'redirect-elsewhere':
      return answerRedirect(c, `${protocol}//${elsewhere}`);
    case 'redirect-to-http':
      return answerRedirect(c, `http://${elsewhere}`);
    case 'redirect-to-login':
      return c.req.path === LOGIN_PATH
        ? answerPage(c, 200, 'Please log in', { 'Cache-Control': 'private' })
        : answerRedirect(c, `${protocol}//${host}${LOGIN_PATH}`);
    case 'parking-page':
      return answerPage(c, 200, 'This domain is for sale');
    case 'marker-without-cors':
      return answerPage(c, 200, 'ok', identityHeaders(c.get('identity')));
    case 'captive-portal':
      return answerPage(c, 511, 'Log in to the network of this hotel', { 'Cache-Control': 'no-store' });
  }
}

function answerPage(
  c: LineContext,
  status: StatusCode,
  title: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = `<!doctype html>\n<title>${title}</title>\n<h1>${title}</h1>\n`;
  // With `nosniff`, browsers check such a type before they give it to another origin.
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
  c.status(status);
  return c.body(body, { headers: { ...type, ...headers } });
}

function answerRedirect(c: LineContext, location: string): Response {
  return c.body(null, 302, { Location: location });
}
