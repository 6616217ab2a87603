import type { Answer, AnswerHeaders } from './exchange.ts';
import { parsePreferences } from './parse-header.ts';
import type { PreparedAnswer, Variant } from './prepare-answer.ts';
import { DATA_HEADERS, HSTS } from './security-headers.ts';
import type { Visit } from '../portal/visit.ts';

/** Sends a prepared answer in the best encoding that the caller takes, or 304 where the caller has it already. */
export function answerPrepared({ request, isSecure }: Visit, prepared: PreparedAnswer, status = 200): Answer {
  const { body, headers, secureHeaders } = chooseVariant(prepared, request.header('accept-encoding'));
  const answer = { status, headers: isSecure ? secureHeaders : headers, body };
  const isKnown = status === 200 && hasTag(request.header('if-none-match'), prepared.etag);
  return isKnown ? { status: 304, headers: dropContentHeaders(answer.headers), body: undefined } : answer;
}

/** Sends JSON that was made for this request, with headers made by `createJsonHeaders`. */
export function answerJson(json: string, headers: Record<string, string>, status = 200): Answer {
  headers['Content-Length'] = String(Buffer.byteLength(json));
  return { status, headers, body: json };
}

/**
 * The headers of JSON that is made for one request, to which its answer may add. One literal, because joining objects
 * whose keys are no identifiers takes V8 longer than signing a ticket.
 */
export function createJsonHeaders(isSecure: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': DATA_HEADERS['X-Content-Type-Options'],
    'Content-Security-Policy': DATA_HEADERS['Content-Security-Policy'],
  };
  if (isSecure) headers['Strict-Transport-Security'] = HSTS['Strict-Transport-Security'];
  return headers;
}

/** Sends the browser to another path of this site; never to anywhere else. */
export function answerRedirect({ isSecure }: Visit, path: `/${string}`): Answer {
  const headers = { ...DATA_HEADERS, 'Cache-Control': 'no-store', 'Content-Length': '0', Location: path };
  return { status: 302, headers: isSecure ? { ...headers, ...HSTS } : headers, body: undefined };
}

function chooseVariant({ br, gzip, identity }: PreparedAnswer, accepted: string | undefined): Variant {
  if (accepted === undefined) return identity;
  const preferences = parsePreferences(accepted);
  // In `gzip, br;q=1.0, zstd;q=0` a weight of zero means "not this one".
  const takes = (encoding: string): boolean =>
    preferences.some(({ name, weight }) => name === encoding && weight > 0);
  if (br !== undefined && takes('br')) return br;
  return gzip !== undefined && takes('gzip') ? gzip : identity;
}

function hasTag(wanted: string | undefined, etag: string): boolean {
  if (wanted === undefined) return false;
  return wanted.trim() === '*' || wanted.split(',').some((tag) => tag.trim() === etag);
}

function dropContentHeaders(headers: AnswerHeaders): AnswerHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^content-(?:type|length|encoding|language)$/i.test(name),
  );
  return Object.fromEntries(kept);
}
