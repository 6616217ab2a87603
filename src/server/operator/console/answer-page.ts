import { LANDING_PATH } from '../../../contract/paths.ts';
import type { Answer } from '../../http/exchange.ts';
import { DATA_HEADERS, HSTS, buildConsoleHeaders } from '../../http/security-headers.ts';
import type { Visit } from '../../portal/visit.ts';

/** Sends a page of the console, with its security headers. */
export function answerHtml(
  { isSecure }: Visit,
  html: string,
  { status, headers }: { readonly status: number; readonly headers?: Answer['headers'] },
): Answer {
  const body = Buffer.from(html);
  return {
    status,
    headers: {
      ...buildConsoleHeaders(),
      ...(isSecure ? HSTS : {}),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.length),
      'Cache-Control': 'no-store',
      ...headers,
    },
    body,
  };
}

/** Sends a browser back to the console, with a GET. */
export function answerSeeOther(isSecure: boolean, cookie: string): Answer {
  const headers = {
    ...DATA_HEADERS,
    ...(isSecure ? HSTS : {}),
    'Cache-Control': 'no-store',
    'Content-Length': '0',
    Location: LANDING_PATH,
    ...(cookie === '' ? {} : { 'Set-Cookie': cookie }),
  };
  return { status: 303, headers, body: undefined };
}
