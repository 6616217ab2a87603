import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type ConnectionOptions, type SecureContext, TLSSocket } from 'node:tls';
import { SPEED_CHECK_TIMEOUT_MS } from '../contract/limits.ts';
import type { LineCertificate, LineReply } from '../contract/line/line-reply.ts';
import { SPEED_CHECK_PATH } from '../contract/paths.ts';
import { readCode } from '../contract/read-code.ts';
import { type IsAllowed, checkLiteralAddress, lookupAllowed } from './lookup-allowed.ts';

/**
 * By default Node tries the next address of a host after 250 ms. A distant line needs longer. This leaves time for two
 * addresses.
 */
const FAMILY_TIMEOUT_MS = SPEED_CHECK_TIMEOUT_MS / 2;

/** Chromium's limit for headers. Node's default is a 16th of it. */
const MAX_HEAD_BYTES = 262_144;
/** Interim answers (1xx) are skipped. More than this is an attack. */
const MAX_INTERIM_ANSWERS = 1_000;

export type RequestLineOptions = {
  readonly now: () => number;
  /** The origin of the page that would ask. By default an opaque one. */
  readonly origin?: string | undefined;
  /** The path to ask for. By default the speed check. */
  readonly path?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Reads this number of bytes of the body before it settles. By default none, because the headers decide. */
  readonly maxBodyBytes?: number;
  /** Says whether the address behind a name may be asked. By default every one may. */
  readonly isAllowed?: IsAllowed;
  /** The trusted authorities, if not the usual ones. Create it once, because that is slow. */
  readonly secureContext?: SecureContext | undefined;
};

/**
 * Sends a line the speed check from Node, and settles within the time limit, also if the line never answers. It follows no
 * redirects. With a bad certificate it goes on, and the reply says what is wrong with it.
 */
export async function requestLine(address: string, options: RequestLineOptions): Promise<LineReply> {
  const { now, signal, timeoutMs = SPEED_CHECK_TIMEOUT_MS } = options;
  if (signal?.aborted) return { kind: 'unreachable', code: 'ABORTED' };
  const startedAt = now();
  let request: ClientRequest;
  try {
    request = sendRequest(address, options);
  } catch (error) {
    return { kind: 'unreachable', code: codeOf(error) };
  }
  return new Promise((resolve) => {
    const settle = (reply: LineReply): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      request.destroy();
      resolve(reply);
    };
    const answer = (response: IncomingMessage): void => {
      const head: LineReply = {
        kind: 'answer',
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        timeMs: now() - startedAt,
        certificate: certificateOf(response),
        remoteAddress: response.socket.remoteAddress,
      };
      const { maxBodyBytes } = options;
      if (maxBodyBytes === undefined) settle(head);
      else readBody(response, maxBodyBytes, (body) => settle({ ...head, body }));
    };
    const fail = (code: string): void => settle({ kind: 'unreachable', code });
    const abort = (): void => fail('ABORTED');
    // For everything: name, connection, handshake and headers.
    const timer = setTimeout(() => settle({ kind: 'timeout' }), timeoutMs);
    signal?.addEventListener('abort', abort);
    let interimAnswers = 0;
    request
      .once('response', answer)
      // Without this listener, Node silently closes a connection that switches protocols.
      .once('upgrade', (response, socket) => {
        answer(response);
        socket.destroy();
      })
      .on('information', () => {
        interimAnswers += 1;
        if (interimAnswers > MAX_INTERIM_ANSWERS) fail('TOO_MANY_INTERIM_ANSWERS');
      })
      // `on`, because destroying the request later may emit another error.
      .on('error', (error) => fail(codeOf(error)))
      .once('close', () => fail('ECONNRESET'));
  });
}

/**
 * Reads a body until its end, or until there is more than enough of it. If the body breaks off, `tell` is not called:
 * the request reports the error.
 */
function readBody(response: IncomingMessage, maxBytes: number, tell: (body: string) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = (): void => tell(Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'));
  response
    .on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) finish();
    })
    .once('end', finish)
    // The request reports it.
    .on('error', () => undefined);
}

function sendRequest(
  address: string,
  {
    origin = 'null',
    path = SPEED_CHECK_PATH,
    maxBodyBytes,
    secureContext,
    isAllowed = () => true,
  }: RequestLineOptions,
): ClientRequest {
  const url = new URL(path, address);
  checkLiteralAddress(url.hostname, isAllowed);
  const options = {
    // A new connection for each request, like a page's first request to a line.
    agent: false,
    lookup: lookupAllowed(isAllowed),
    // Browsers send no Origin header when a visitor opens a page.
    headers: headersFor(),
    maxHeaderSize: MAX_HEAD_BYTES,
    autoSelectFamilyAttemptTimeout: FAMILY_TIMEOUT_MS,
  };
  if (url.protocol === 'http:') return end(requestHttp(url, options));
  const tlsOptions: ConnectionOptions = {
    rejectUnauthorized: false,
    ...(secureContext && { secureContext }),
  };
  return end(requestHttps(url, { ...options, ...tlsOptions }));

  function headersFor(): Readonly<Record<string, string>> {
    if (maxBodyBytes !== undefined) return { Accept: '*/*' };
    return path === SPEED_CHECK_PATH ? { Origin: origin } : { Accept: 'text/html' };
  }
}

function end(request: ClientRequest): ClientRequest {
  // Node drops headers after the 2000th. The size limit is enough.
  request.maxHeadersCount = 0;
  return request.end();
}

/** `headers` would keep only the first of two `Server` headers. */
function headersOf({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
}

function certificateOf({ socket }: IncomingMessage): LineCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { authorizationError: fault } = socket;
  return {
    validTo: new Date(socket.getPeerCertificate().valid_to),
    faultCode: socket.authorized ? undefined : codeOf(fault),
  };
}

/** Node's types call `authorizationError` an error. It is a code, except for a wrong host name. */
function codeOf(error: unknown): string {
  return typeof error === 'string' ? error : readCode(error) || 'UNKNOWN';
}
