import { readFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  type ConnectionOptions,
  type SecureContext,
  TLSSocket,
  createSecureContext,
  rootCertificates,
} from 'node:tls';
import { SPEED_CHECK_TIMEOUT_MS } from '../contract/limits.ts';
import type { LineCertificate, LineReply } from '../contract/line/line-reply.ts';
import { SPEED_CHECK_PATH } from '../contract/paths.ts';
import { lookupLoopback } from './lookup-loopback.ts';

/**
 * Node gives up on an address that has not connected after 250 ms, which is no more than a far line needs, and goes
 * on to the host's next one. This leaves it time, and still time for the next.
 */
const FAMILY_TIMEOUT_MS = SPEED_CHECK_TIMEOUT_MS / 2;

/** As much of a head as Chromium takes. Node's own limit is a 16th of it. */
const MAX_HEAD_BYTES = 262_144;
/** Interim answers (1xx) are skipped, but nobody sends so many in earnest. */
const MAX_INTERIM_ANSWERS = 1_000;

export type RequestLineOptions = {
  readonly now: () => number;
  /** The origin of the page in whose name the line is asked; an opaque one by default. */
  readonly origin?: string | undefined;
  /** What to ask for: the speed check, unless it is said otherwise. */
  readonly path?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Whom to trust, where it is not the usual authorities. Made once, since reading all of those takes a while. */
  readonly secureContext?: SecureContext | undefined;
};

/**
 * Sends a line the speed check from Node, and settles within the time limit whatever the line does. It does not follow
 * redirects. A bad certificate does not end it: the reply says what is wrong with it.
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
    const answer = (response: IncomingMessage): void =>
      settle({
        kind: 'answer',
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        timeMs: now() - startedAt,
        certificate: certificateOf(response),
      });
    const fail = (code: string): void => settle({ kind: 'unreachable', code });
    const abort = (): void => fail('ABORTED');
    // Of everything: the name, the connection, the handshake, the head.
    const timer = setTimeout(() => settle({ kind: 'timeout' }), timeoutMs);
    signal?.addEventListener('abort', abort);
    let interimAnswers = 0;
    request
      .once('response', answer)
      // Without a listener Node ends a connection that switches protocols, and says nothing.
      .once('upgrade', (response, socket) => {
        answer(response);
        socket.destroy();
      })
      .on('information', () => {
        interimAnswers += 1;
        if (interimAnswers > MAX_INTERIM_ANSWERS) fail('TOO_MANY_INTERIM_ANSWERS');
      })
      // Stays for the request's life: to destroy it once the head is in may still emit an error.
      .on('error', (error) => fail(codeOf(error)))
      .once('close', () => fail('ECONNRESET'));
  });
}

/** Trusts the authorities in a PEM file in addition to the usual ones. Without a file, trusts the usual ones alone. */
export async function loadSecureContext(caFile: string | undefined): Promise<SecureContext | undefined> {
  if (caFile === undefined) return undefined;
  return createSecureContext({ ca: [...rootCertificates, await readFile(caFile, 'utf8')] });
}

function sendRequest(
  address: string,
  { origin = 'null', path = SPEED_CHECK_PATH, secureContext }: RequestLineOptions,
): ClientRequest {
  const url = new URL(path, address);
  const options = {
    // A connection of its own for each, as a page's first visit to a line has.
    agent: false,
    lookup: lookupLoopback,
    // A visitor who opens a page sends no origin.
    headers: path === SPEED_CHECK_PATH ? { Origin: origin } : { Accept: 'text/html' },
    maxHeaderSize: MAX_HEAD_BYTES,
    autoSelectFamilyAttemptTimeout: FAMILY_TIMEOUT_MS,
  };
  if (url.protocol === 'http:') return end(requestHttp(url, options));
  const tlsOptions: ConnectionOptions = {
    rejectUnauthorized: false,
    ...(secureContext && { secureContext }),
  };
  return end(requestHttps(url, { ...options, ...tlsOptions }));
}

function end(request: ClientRequest): ClientRequest {
  // The size of the head is limited, so its lines need not be: Node would drop what comes after the 2000th.
  request.maxHeadersCount = 0;
  return request.end();
}

/** Not `headers`, which keeps the first of two servers and hides the other. */
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

/** Node's types call `authorizationError` an error, but it is the bare code, except for a host name that differs. */
function codeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  return error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
}
