import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type ConnectionOptions, type SecureContext, TLSSocket } from 'node:tls';
import { SPEED_CHECK_TIMEOUT_MS } from '../contract/limits.ts';
import { SPEED_CHECK_PATH } from '../contract/paths.ts';
import { lookupLoopback } from './lookup-loopback.ts';

/**
 * Node gives up on an address that has not connected after 250 ms, which is no more than a far line needs, and goes
 * on to the host's next one. This leaves it time, and still time for the next.
 */
const FAMILY_TIMEOUT_MS = SPEED_CHECK_TIMEOUT_MS / 2;

export type LineReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By their names in lower case. One that was sent more than once is joined by commas, as a page would read it. */
      readonly headers: Readonly<Record<string, string | undefined>>;
      /** From the start of the connection to the end of the head. */
      readonly timeMs: number;
      /** Undefined over http. */
      readonly certificate: LineCertificate | undefined;
    }
  | { readonly kind: 'timeout' }
  /** `code` is Node's own: `ECONNREFUSED`, `ENOTFOUND`, … */
  | { readonly kind: 'unreachable'; readonly code: string };

export type LineCertificate = {
  readonly validTo: Date;
  /** Why a browser would not trust it, by Node's code: `CERT_HAS_EXPIRED`, … */
  readonly faultCode: string | undefined;
};

export type RequestLineOptions = {
  readonly now: () => number;
  /** The origin of the page in whose name the line is asked; an opaque one by default. */
  readonly origin?: string | undefined;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Whom to trust, where it is not the usual authorities. Made once, since reading all of those takes a while. */
  readonly secureContext?: SecureContext | undefined;
};

/** Sends a line the speed check from Node. A bad certificate does not end it: the reply says what is wrong with it. */
export async function requestLine(address: string, options: RequestLineOptions): Promise<LineReply> {
  const { now, signal, timeoutMs = SPEED_CHECK_TIMEOUT_MS } = options;
  const startedAt = now();
  const request = sendSpeedCheck(address, options);
  let hasTimedOut = false;
  const timer = setTimeout(() => {
    hasTimedOut = true;
    request.destroy();
  }, timeoutMs);
  const abort = (): void => void request.destroy();
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    const response = await headOf(request);
    return {
      kind: 'answer',
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      timeMs: now() - startedAt,
      certificate: certificateOf(response),
    };
  } catch (error) {
    return hasTimedOut ? { kind: 'timeout' } : { kind: 'unreachable', code: codeOf(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    request.destroy();
  }
}

function sendSpeedCheck(
  address: string,
  { origin = 'null', secureContext }: RequestLineOptions,
): ClientRequest {
  const url = new URL(SPEED_CHECK_PATH, address);
  const options = {
    // A connection of its own for each, as a page's first visit to a line has.
    agent: false,
    lookup: lookupLoopback,
    headers: { Origin: origin },
    autoSelectFamilyAttemptTimeout: FAMILY_TIMEOUT_MS,
  };
  if (url.protocol === 'http:') return requestHttp(url, options).end();
  const tlsOptions: ConnectionOptions = {
    rejectUnauthorized: false,
    ...(secureContext && { secureContext }),
  };
  return requestHttps(url, { ...options, ...tlsOptions }).end();
}

function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays for the request's life: to destroy it once the head is in may still emit an error.
    request.on('error', reject);
  });
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
