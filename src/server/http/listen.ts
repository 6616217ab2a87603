import { once } from 'node:events';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, Server as NetServer, isIPv6 } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { answerJson, createJsonHeaders } from './answer.ts';
import {
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type ConnectionBoundsDeps,
  boundConnections,
} from './bound-connections.ts';
import type { App } from './exchange.ts';
import { answerWith } from './node-adapter.ts';

export type ListenOptions = {
  readonly app: App;
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
  /** While closing, a connection that is idle now may have a request on its way; after this long it has none. */
  readonly closingGraceMs: number;
};

export type Listener = {
  readonly url: string;
  /** Stops accepting, lets what is open finish, and closes; what is still open by the limit is cut off. */
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
  // Longer than the 60 s after which common load balancers give up an idle connection: they must be first.
  idleTimeoutMs: 65_000,
  closingGraceMs: 1_000,
};

/** What is still open by then is cut off, so that a process manager's patience (10 s) is never used up. */
const CLOSING_LIMIT_MS = 8_000;
const SWEEP_EVERY_MS = 50;

/** Listens, with bounds on everything that a client can take its time or space with. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { app, host, port, isShared = () => false, onCut = () => undefined } = options;
  const bounds = { ...LISTEN_BOUNDS, ...options.bounds };
  const connections = boundConnections({ bounds, isShared, onCut });
  const answer = answerWith(app, { stalledTimeoutMs: bounds.idleTimeoutMs });
  let isClosing = false;
  const server = createServer(
    {
      maxHeaderSize: bounds.maxHeaderBytes,
      headersTimeout: bounds.headersTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      keepAliveTimeout: bounds.idleTimeoutMs,
      // Node looks for slow requests this often, and by default only every 30 s.
      connectionsCheckingInterval: Math.min(1_000, bounds.headersTimeoutMs / 2),
      noDelay: true,
    },
    connections.bound((incoming, outgoing) => {
      if (isClosing) outgoing.setHeader('Connection', 'close');
      if ((incoming.url?.length ?? 0) > bounds.maxUrlChars) refuseUrl(outgoing);
      else answer(incoming, outgoing);
    }),
  );
  connections.watch(server);
  await startListening(server, host, port);
  return {
    url: urlOf(server, host),
    close: async (limitMs = CLOSING_LIMIT_MS) => {
      isClosing = true;
      await closeGently(server, Math.min(bounds.closingGraceMs, limitMs), limitMs);
    },
  };
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
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use: stop what listens there, or choose another port`;
  if (code === 'EACCES') return `port ${port} on ${host} may not be used by this user: choose one above 1023`;
  return `cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : String(error)}`;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo; // It listens on a port, not on a pipe.
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function refuseUrl(outgoing: ServerResponse): void {
  const error = { code: 'url-too-long', message: 'The address of this request is too long.' };
  const { status, headers, body } = answerJson(JSON.stringify({ error }), createJsonHeaders(false), 414);
  outgoing.writeHead(status, headers).end(body);
}

async function closeGently(server: Server, graceMs: number, limitMs: number): Promise<void> {
  const closed = once(server, 'close');
  // `http.Server.close` would cut idle connections off at once, and with them requests that are already on the wire.
  // This stops accepting and no more; each answer from now on asks its client to close.
  NetServer.prototype.close.call(server);
  await Promise.race([closed, wait(graceMs, undefined, { ref: false })]);
  const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
  const cuttingOff = setTimeout(() => server.closeAllConnections(), limitMs - graceMs);
  await closed;
  clearInterval(sweeping);
  clearTimeout(cuttingOff);
}
