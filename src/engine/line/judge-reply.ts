import type { PageFault, ReplyFault } from '../../contract/line/line-fault.ts';
import type { LineAnswer, LineIdentity, LineReply } from '../../contract/line/line-reply.ts';
import type { FailureCause } from '../../contract/api/speed-result.ts';
import { quoteForeign } from '../../contract/quote-foreign.ts';
import { type SeenAnswer, isOurLine } from './is-our-line.ts';

export type ReplyVerdict = {
  /** The cause that a page would show. Undefined for a valid line. */
  readonly cause: FailureCause | undefined;
  /** Everything that makes a page refuse the line, the most important first. */
  readonly faults: readonly ReplyFault[];
};

export type Expectation = LineIdentity & {
  /** The origin of the portal's pages. If it is not known, the line must allow every origin. */
  readonly portal: string | undefined;
};

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** If one of these is found, the browser gives the page no answer at all. */
const ENDS_EVERY_REQUEST: ReadonlySet<ReplyFault['kind']> = new Set([
  'mixed-content',
  'certificate',
  'upgrade',
]);
/** Pages may always read these. https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name */
const ALWAYS_EXPOSED: ReadonlySet<string> = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]);
/** https://fetch.spec.whatwg.org/#forbidden-response-header-name */
const NEVER_EXPOSED: ReadonlySet<string> = new Set(['set-cookie', 'set-cookie2']);
/** A site may answer robots with these, and visitors with the page. */
const FOR_ROBOTS: ReadonlySet<number> = new Set([401, 403, 405, 429]);
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** A fault quotes at most 100 characters of a header. A line that somebody has taken over may send 200,000, too many for a message. */
const MAX_QUOTED_CHARS = 100;
const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Judges a reply as a page of the portal would, by the Fetch standard, and lists the faults. The request was sent from Node. Node
 * can tell another server from no server in more cases than a page can: a page sees no answer if a redirect ends in an error, or
 * if a server forbids other sites to load anything of it.
 */
export function judgeReply(address: string, reply: LineReply, expected: Expectation): ReplyVerdict {
  const blocked = findBlock(address, expected.portal);
  if (reply.kind !== 'answer') {
    return { cause: blocked.length > 0 ? 'unreachable' : reply.kind, faults: [...blocked, reply] };
  }
  const { portal } = expected;
  const isSameOrigin = new URL(address).origin === portal;
  const netFaults = [...blocked, ...findNetworkFaults(address, reply, { isSameOrigin, portal })];
  const isReadable = isSameOrigin || isExposed(expected.markerHeader, reply);
  const faults = [...netFaults, ...findAnswerFaults(reply, isReadable, expected)];
  if (netFaults.some(({ kind }) => ENDS_EVERY_REQUEST.has(kind))) return { cause: 'unreachable', faults };
  // After a redirect, or an answer that it may not read, a page asks once more, without CORS, whether anybody answers. Here
  // somebody did, so the cause is `wrong-server`.
  const isOurs = netFaults.length === 0 && isOurLine(seeAnswer(reply, isReadable), expected);
  return { cause: isOurs ? undefined : 'wrong-server', faults };
}

/**
 * Judges the reply to a request for `/`, the page that visitors enter. A redirect is fine, because browsers follow it.
 */
export function findPageFault(reply: LineReply): PageFault | undefined {
  if (reply.kind !== 'answer') return { kind: 'page-no-answer' };
  const { status } = reply;
  const isFine = (status >= 200 && status < 400) || FOR_ROBOTS.has(status);
  return isFine ? undefined : { kind: 'page-status', status };
}

/** Finds what makes a browser block the request before it is sent. */
function findBlock(address: string, portal: string | undefined): readonly ReplyFault[] {
  if (portal?.startsWith('https:') !== true) return [];
  const { protocol, hostname } = new URL(address);
  // Browsers also trust loopback over http: https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy
  return protocol === 'http:' && !LOOPBACK.test(hostname) ? [{ kind: 'mixed-content', portal }] : [];
}

/** Finds what makes `fetch` fail although the line answered. */
function findNetworkFaults(
  address: string,
  { status, headers, certificate }: LineAnswer,
  { isSameOrigin, portal }: { readonly isSameOrigin: boolean; readonly portal: string | undefined },
): readonly ReplyFault[] {
  const faults: ReplyFault[] = [];
  if (certificate?.faultCode !== undefined) {
    const { faultCode: code, validTo } = certificate;
    const { hostname } = new URL(address);
    faults.push({ kind: 'certificate', code, hostname, validTo: validTo.getTime() });
  }
  if (status === 101) faults.push({ kind: 'upgrade' });
  if (REDIRECTS.has(status)) {
    const location = headers['location'];
    faults.push({ kind: 'redirect', location: location === undefined ? null : quote(location) });
  }
  // Browsers refuse a header with two values, even if both are the same.
  const allowed = headers['access-control-allow-origin'];
  if (!isSameOrigin && allowed !== '*' && allowed !== (portal ?? 'null')) {
    faults.push({ kind: 'not-allowed' });
  }
  return faults;
}

/** Finds the faults of an answer that a page can read. */
function findAnswerFaults(
  answer: LineAnswer,
  isReadable: boolean,
  expected: Expectation,
): readonly ReplyFault[] {
  const { status } = answer;
  const faults: ReplyFault[] = [];
  const hasOwnFault = status === 101 || REDIRECTS.has(status);
  if (!isOk(status) && !hasOwnFault) faults.push({ kind: 'status', status });
  const sent = { ...seeAnswer(answer, true), ok: true };
  const { marker, markerHeader: header } = expected;
  const found = sent.headers.get(header);
  if (found === null) faults.push({ kind: 'no-marker', marker, header });
  else if (!isOurLine(sent, expected))
    faults.push({ kind: 'other-marker', marker, header, found: quote(found) });
  if (!isReadable) faults.push({ kind: 'not-exposed', header });
  return faults;
}

function quote(text: string): string {
  return quoteForeign(text, MAX_QUOTED_CHARS);
}

/** Reduces an answer to what a page can read. Where the marker's header is not exposed, a page reads null. */
function seeAnswer({ status, headers }: LineAnswer, isReadable: boolean): SeenAnswer {
  return {
    ok: isOk(status),
    headers: { get: (name) => (isReadable ? headers[name.toLowerCase()] : undefined) ?? null },
  };
}

function isOk(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Whether a page of another origin may read a header. Browsers ignore the whole list if one of its names is malformed.
 */
function isExposed(header: string, { headers }: LineAnswer): boolean {
  const name = header.toLowerCase();
  if (NEVER_EXPOSED.has(name)) return false;
  if (ALWAYS_EXPOSED.has(name)) return true;
  const listed = (headers['access-control-expose-headers'] ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return listed.every((item) => TOKEN.test(item)) && (listed.includes('*') || listed.includes(name));
}
