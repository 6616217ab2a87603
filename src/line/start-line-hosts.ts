import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createLineApp } from './create-line-app.ts';
import { loadStayFiles } from './load-stay-files.ts';
import type { LineBehaviour } from './line-behaviour.ts';
import { type Listening, listenOnPort } from './listen-on-port.ts';
import { type CountRequest, type LineCount, createIdentity } from './speed-check.ts';

export type LineHostsOptions = {
  readonly marker: string;
  /** The header that carries the marker; `Server` by default. */
  readonly markerHeader?: string | undefined;
  /** 0 draws a free port: `LineHosts.ports` has the real ones. */
  readonly ports: readonly number[];
  /** The lines by host name. The `Host` header tells which is meant. Without this list, every host is a line. */
  readonly hosts?: Readonly<Record<string, LineBehaviour>>;
  /** The address to listen on; both loopbacks by default. */
  readonly address?: string | undefined;
  /** In PEM. With it, the lines speak https. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
};

/** Counts of the requests of a host. */
export type LineRequests = Readonly<Record<LineCount, number>>;

export type LineHosts = {
  readonly ports: readonly number[];
  /** Changes how a host answers later requests. */
  readonly set: (hostname: string, behaviour: LineBehaviour) => void;
  readonly requests: (hostname: string) => LineRequests;
  /** Lets the pages keep their visitors in, with siblings of this portal. */
  readonly setPortal: (origin: string) => void;
  /** Sets every host back to how it started, and all counts to zero. Requests under way are not counted any more. */
  readonly reset: () => void;
  /** Closes everything at once, including open connections. */
  readonly close: () => Promise<void>;
};

/** Further names are answered but not counted, because anybody can invent names. */
const MAX_COUNTED_HOSTS = 1_000;
const NO_REQUESTS: LineRequests = { probes: 0, aborted: 0, bodyBytes: 0, pages: 0, posts: 0 };

/** Starts servers that answer as line hosts do, with knobs for each host. */
export async function startLineHosts(options: LineHostsOptions): Promise<LineHosts> {
  const identity = createIdentity(options.marker, options.markerHeader);
  let behaviours = new Map(Object.entries(options.hosts ?? {}));
  const unlisted: LineBehaviour | undefined = options.hosts === undefined ? {} : undefined;
  let requests = new Map<string, LineRequests>();
  let portal: string | undefined;

  const startCount = (hostname: string): CountRequest => {
    // A request that was under way at a reset is not counted.
    const counts = requests;
    return (what, by = 1) => {
      const counted = counts.get(hostname) ?? NO_REQUESTS;
      const isCounted = counts.has(hostname) || counts.size < MAX_COUNTED_HOSTS;
      if (isCounted) counts.set(hostname, { ...counted, [what]: counted[what] + by });
    };
  };
  const app = createLineApp({
    identity,
    findBehaviour: (hostname) => behaviours.get(hostname) ?? unlisted,
    startCount,
    findPortal: () => portal,
    stayFiles: await loadStayFiles(),
  });
  const answer = getRequestListener(app.fetch, { hostname: 'localhost' });
  const listeners = await listenOnPorts(options, (incoming, outgoing) => void answer(incoming, outgoing));
  return {
    ports: listeners.ports,
    set: (hostname, behaviour) => void behaviours.set(hostname, behaviour),
    requests: (hostname) => requests.get(hostname) ?? NO_REQUESTS,
    setPortal: (origin) => void (portal = origin),
    reset() {
      behaviours = new Map(Object.entries(options.hosts ?? {}));
      requests = new Map();
      portal = undefined;
    },
    close: listeners.close,
  };
}

/** Listens on all of the ports. If one fails, the others are closed. */
async function listenOnPorts(
  { ports, address, tls }: LineHostsOptions,
  onRequest: RequestListener,
): Promise<Pick<LineHosts, 'ports' | 'close'>> {
  const sockets = new Set<Socket>();
  const createServer = (): Server => {
    const server = tls ? createHttpsServer(tls, onRequest) : createHttpServer(onRequest);
    // `closeAllConnections` would miss connections that are still in their TLS handshake.
    return server.on('connection', (socket: Socket) => {
      sockets.add(socket.once('close', () => sockets.delete(socket)));
    });
  };
  const listening: Listening[] = [];
  const close = async (): Promise<void> => {
    const closing = listening.flatMap(({ servers }) => servers.map(closeServer));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closing);
  };
  try {
    for (const port of ports) listening.push(await listenOnPort(createServer, port, address));
  } catch (error) {
    await close();
    throw error;
  }
  return { ports: listening.map(({ port }) => port), close };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
