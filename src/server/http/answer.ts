import type { Context } from 'hono';
import { RETAINED_304_HEADERS, etag } from 'hono/etag';
import { parseAccept } from 'hono/utils/accept';
import type { RedirectStatusCode } from 'hono/utils/http-status';
import { OFFLINE_HEADER } from '../../contract/api/headers.ts';
import {
  type AnswerHeaders,
  type Encoding,
  type PreparedAnswer,
  type Variant,
  compressQuickly,
} from './prepare-answer.ts';
import { DATA_HEADERS, PAGE_HEADERS } from './security-headers.ts';

/** Of JSON that is made for one request. */
export const JSON_HEADERS = uncached('application/json; charset=utf-8');

/** The headers of data that is made for one request. */
export function uncached(type: string) {
  return { 'Content-Type': type, 'Cache-Control': 'no-store', ...DATA_HEADERS };
}

/**
 * Sends JSON that was made for this request. Its headers stay a plain object: `c.json` would make a `Headers` of them, which
 * takes a sixth of the time of a whole hostname call (`npm run bench -- hostnames`).
 */
export function answerJson(value: object, headers: AnswerHeaders = {}): Response {
  return new Response(JSON.stringify(value), { headers: { ...JSON_HEADERS, ...headers } });
}

/** Sends nothing but headers: what the caller sent was taken. */
export function answerTaken(headers: AnswerHeaders): Response {
  return new Response(null, {
    status: 204,
    headers: { 'Cache-Control': 'no-store', ...DATA_HEADERS, ...headers },
  });
}

/** Sends the browser to another path of this site; never to anywhere else. */
export function answerRedirect(c: Context, path: `/${string}`, status: RedirectStatusCode = 302): Response {
  return c.body(null, status, {
    ...DATA_HEADERS,
    'Cache-Control': 'no-store',
    'Content-Length': '0',
    Location: path,
  });
}

/** Sends a prepared answer in the best encoding that the caller takes. */
export function answerPrepared(c: Context, prepared: PreparedAnswer, status = 200): Response {
  const { body, headers } = chooseVariant(prepared, c.req.header('Accept-Encoding'));
  return new Response(body, { status, headers });
}

/**
 * Answers 304 where the caller has the answer already. Use it only for routes of prepared answers: these have a tag, and
 * `hono/etag` would compute one for any other answer. It drops all headers that are not listed here.
 */
export const answerIfChanged = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    ...Object.keys(PAGE_HEADERS),
    ...Object.keys(DATA_HEADERS),
    'X-Robots-Tag',
    OFFLINE_HEADER,
    'Set-Cookie',
  ],
});

/** Sends a text that was made for this request, compressed for this caller. The headers must name what it varies by. */
export function answerText(c: Context, text: string, headers: AnswerHeaders, status = 200): Response {
  const encoding = chooseEncoding(['br', 'gzip'], c.req.header('Accept-Encoding'));
  if (encoding === undefined) return new Response(text, { status, headers });
  const body = compressQuickly(text, encoding);
  return new Response(body, {
    status,
    headers: { ...headers, 'Content-Encoding': encoding, 'Content-Length': String(body.length) },
  });
}

function chooseVariant(
  { identity, ...encoded }: PreparedAnswer,
  acceptEncoding: string | undefined,
): Variant {
  const made = (['br', 'gzip'] as const).filter((encoding) => encoded[encoding] !== undefined);
  const encoding = chooseEncoding(made, acceptEncoding);
  return (encoding && encoded[encoding]) ?? identity;
}

/** Brotli first, whatever the caller prefers, because it is the smallest. A weight of zero means "not this one". */
function chooseEncoding(encodings: readonly Encoding[], acceptEncoding = ''): Encoding | undefined {
  const accepted = parseAccept(acceptEncoding);
  return encodings.find((encoding) =>
    accepted.some(({ type, q }) => type.toLowerCase() === encoding && q > 0),
  );
}
