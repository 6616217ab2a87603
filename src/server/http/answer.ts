import type { AnswerHeaders, PreparedAnswer, Variant } from './prepare-answer.ts';
import { DATA_HEADERS, HSTS } from './security-headers.ts';
import type { Visit } from './visit.ts';

const JSON_HEADERS: AnswerHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  ...DATA_HEADERS,
};

/** Sends a prepared answer in the best encoding that the caller takes, or 304 where the caller has it already. */
export function answerPrepared(
  { header, isSecure }: Pick<Visit, 'header' | 'isSecure'>,
  prepared: PreparedAnswer,
  { status = 200, headers: extra }: { status?: 200 | 404; headers?: AnswerHeaders } = {},
): Response {
  const variant = chooseVariant(prepared, header('accept-encoding'));
  const made = isSecure ? variant.secureHeaders : variant.headers;
  const headers = extra === undefined ? made : { ...made, ...extra };
  if (status === 200 && hasTag(header('if-none-match'), prepared.etag)) {
    return new Response(null, { status: 304, headers: dropContentHeaders(headers) });
  }
  return new Response(variant.body, { status, headers });
}

/** Sends JSON that was made for this request. It is given as text, so that what is fixed of it can be made ahead. */
export function answerJson(
  { isSecure }: Pick<Visit, 'isSecure'>,
  json: string,
  { status = 200, headers = {} }: { status?: number; headers?: AnswerHeaders } = {},
): Response {
  const base = isSecure ? { ...JSON_HEADERS, ...HSTS } : JSON_HEADERS;
  return new Response(json, { status, headers: { ...base, ...headers } });
}

/** Sends the browser to another path of this site; never to anywhere else. */
export function answerRedirect({ isSecure }: Pick<Visit, 'isSecure'>, path: `/${string}`): Response {
  const headers = { Location: path, 'Cache-Control': 'no-store', ...DATA_HEADERS, ...(isSecure ? HSTS : {}) };
  return new Response(null, { status: 302, headers });
}

function chooseVariant(prepared: PreparedAnswer, accepted: string | undefined): Variant {
  if (accepted === undefined) return prepared.identity;
  if (prepared.br !== undefined && accepts(accepted, 'br')) return prepared.br;
  if (prepared.gzip !== undefined && accepts(accepted, 'gzip')) return prepared.gzip;
  return prepared.identity;
}

/** Reads `Accept-Encoding: gzip, br;q=1.0, zstd;q=0`, in which a weight of zero means "not this one". */
function accepts(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((item) => {
    const [name = '', weight = ''] = item.split(';');
    return name.trim().toLowerCase() === encoding && !/^\s*q=0(?:\.0*)?\s*$/i.test(weight);
  });
}

function hasTag(wanted: string | undefined, etag: string): boolean {
  return (
    wanted !== undefined && (wanted.trim() === '*' || wanted.split(',').some((tag) => tag.trim() === etag))
  );
}

function dropContentHeaders(headers: AnswerHeaders): AnswerHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^content-(?:type|length|encoding|language)$/i.test(name),
  );
  return Object.fromEntries(kept);
}
