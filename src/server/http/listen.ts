import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, STATUS_CODES, type Server, createServer } from 'node:http';
import { type AddressInfo, Server as NetServer, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type HttpBindings, RequestError, getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { readCode, readReason } from '../../contract/read-code.ts';
import { JSON_HEADERS } from './answer.ts';
import {
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type ConnectionBoundsDeps,
  boundConnections,
} from './bound-connections.ts';
import type { AppEnv } from './create-app.ts';
import { HttpError, describeError } from './errors.ts';

export type ListenOptions<E extends AppEnv> = {
  readonly app: Pick<Hono<E>, 'fetch'>;
  readonly log: Logger;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly bounds?: Partial<ListenBounds>;
  /** True for an address that many visitors share, such as a proxy's. */
  readonly isShared?: ConnectionBoundsDeps['isShared'];
  readonly onCut?: ConnectionBoundsDeps['onCut'];
};

/** What a client may take: no request may be larger or slower than this. */
export type ListenBounds = ConnectionBounds & {
  readonly maxUrlChars: number;
  readonly maxHeaderBytes: number;
  /** From the first byte of a request to the last of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestTimeoutMs: number;
  /** A connection on which nothing moves: no new request, or an answer that is not taken. */
  readonly idleTimeoutMs: number;
  /** How long a closing server waits for requests that are already on their way on idle connections. */
  readonly closingGraceMs: number;
};

export type Listener = {
  readonly url: string;
  /** Stops accepting, lets open requests finish, and closes. At the limit it cuts off what is still open. */
  readonly close: (limitMs?: number) => Promise<void>;
};

/** A port or address that cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code = 'listen';
}

export const LISTEN_BOUNDS: ListenBounds = {
  ...CONNECTION_BOUNDS,
  maxUrlChars: 2_048,
  maxHeaderBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  // Common load balancers close an idle connection after 60 s. They must do it before this server does, so this is longer.
  idleTimeoutMs: 65_000,
  closingGraceMs: 1_000,
};

/** What is still open by then is cut off, because a process manager kills the process after 10 s. */
const CLOSING_LIMIT_MS = 8_000;
const SWEEP_EVERY_MS = 50;
/** Of one header. Browsers and proxies send far less, and nginx refuses a longer one by default. */
const MAX_HEADER_CHARS = 8_192;
const READ_FROM_END = new Set(['x-forwarded-for', 'forwarded']);
/** By the code of Node's error. */
const CLIENT_ERROR_STATUSES = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Listens, with bounds on the time and the space that a client can use. */
export async function listen<E extends AppEnv>(options: ListenOptions<E>): Promise<Listener> {
  const { app, log, host, port, isShared = () => false, onCut = () => undefined } = options;
  const bounds = { ...LISTEN_BOUNDS, maxConnections: await findMaxConnections(), ...options.bounds };
  const connections = boundConnections({ bounds, isShared, onCut });
  const answer = getRequestListener(
    (request, env) => {
      // It could be a request of HTTP/2, but this server speaks HTTP/1.1 only.
      const { incoming, outgoing } = env as HttpBindings;
      if ((incoming.url?.length ?? 0) > bounds.maxUrlChars) refuseUrl();
      if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') refuseMissingHost();
      return app.fetch(request, { incoming, outgoing });
    },
    {
      // For HTTP/1.0, whose requests may come without a `Host` header.
      hostname: 'localhost',
      errorHandler: (error) => answerError(error, log),
    },
  );
  let isClosing = false;
  const takeRequest = connections.bound((incoming, outgoing) => {
    if (isClosing) outgoing.setHeader('Connection', 'close');
    boundHeaders(incoming);
    void answer(incoming, outgoing);
  });
  const server = createServer(
    {
      maxHeaderSize: bounds.maxHeaderBytes,
      headersTimeout: bounds.headersTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      keepAliveTimeout: bounds.idleTimeoutMs,
      // Node looks for slow requests this often, and by default only every 30 s.
      connectionsCheckingInterval: Math.min(1_000, bounds.headersTimeoutMs / 2),
      noDelay: true,
      // Node would answer a request without `Host` itself, and such requests would pass the bounds.
      requireHostHeader: false,
    },
    takeRequest,
  );
  server.timeout = bounds.idleTimeoutMs;
  // Likewise a request that expects something other than `100-continue`. It is answered as if it expected nothing, which RFC
  // 9110 allows.
  server.on('checkExpectation', takeRequest);
  server.on('clientError', answerClientError);
  connections.watch(server);
  await startListening(server, host, port);
  // The system may refuse to hand over a connection. Without a listener the process would end.
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'));
  return {
    url: urlOf(server, host),
    close: async (limitMs = CLOSING_LIMIT_MS) => {
      isClosing = true;
      await closeGently(server, Math.min(bounds.closingGraceMs, limitMs), limitMs);
    },
  };
}

/**
 * A connection takes one of the files that the system lets a process have. If connections took all of them, the system could give
 * nobody a new one. So a quarter is left for everything else.
 */
async function findMaxConnections(): Promise<number> {
  // Only Linux has this file. Elsewhere the limit is not known.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  return Math.min(CONNECTION_BOUNDS.maxConnections, Math.floor(files * 0.75));
}

async function startListening(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ListenError(describeListenFailure(error, host, port), { cause: error });
  }
}

function describeListenFailure(error: unknown, host: string, port: number): string {
  const code = readCode(error);
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use: stop what listens there, or choose another port`;
  if (code === 'EACCES') return `port ${port} on ${host} may not be used by this user: choose one above 1023`;
  return `cannot listen on ${host}, port ${port}: ${readReason(error)}`;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo; // It listens on a port, not on a pipe.
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function refuseUrl(): never {
  throw new HttpError(414, { code: 'url-too-long', message: 'The address of this request is too long.' });
}

function refuseMissingHost(): never {
  throw new HttpError(400, { code: 'bad-request', message: 'This request has no Host header.' });
}

/** Answers requests that fail before they reach the app, or outside of it. */
function answerError(error: unknown, log: Logger): Response {
  const { status, body, headers } = describeError(explainRequestError(error), log);
  return Response.json(body, { status, headers: { ...JSON_HEADERS, ...headers } });
}

function explainRequestError(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  const message = 'The path of this request, or its Host header, cannot be read.';
  return new HttpError(400, { code: 'bad-request', message });
}

/** A longer header counts as not sent. The lists of proxies are read from their end, where the nearest proxy wrote. */
function boundHeaders(incoming: IncomingMessage): void {
  const { headers } = incoming;
  const long = Object.entries(headers).filter(([, value]) => (value?.length ?? 0) > MAX_HEADER_CHARS);
  if (long.length === 0) return;
  for (const [name, value] of long) {
    if (READ_FROM_END.has(name)) headers[name] = String(value).slice(-MAX_HEADER_CHARS);
    else delete headers[name];
  }
  // Hono's adapter reads some headers from here.
  incoming.rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}

/**
 * Answers what is not HTTP, and what is too slow, as Node itself does. But Node answers at once and closes the connection.
 * The answers to earlier requests would be lost, because Hono has them ready only a moment later.
 */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  setImmediate(() => {
    if (!socket.writable) return socket.destroy();
    const status = CLIENT_ERROR_STATUSES.get(error.code ?? '') ?? 400;
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
    return socket.end(head, () => socket.destroy());
  });
}

async function closeGently(server: Server, graceMs: number, limitMs: number): Promise<void> {
  const closed = once(server, 'close');
  // `http.Server.close` would cut idle connections off at once, and with them requests that are already on the wire. This
  // only stops accepting; each answer from now on asks its client to close.
  NetServer.prototype.close.call(server);
  await Promise.race([closed, wait(graceMs, undefined, { ref: false })]);
  const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
  const cuttingOff = setTimeout(() => server.closeAllConnections(), limitMs - graceMs);
  await closed;
  clearInterval(sweeping);
  clearTimeout(cuttingOff);
}
