import { once } from 'node:events';
import { type RequestListener, createServer as createHttpServer } from 'node:http';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listenOnLoopback } from './listen-on-loopback.ts';
import type { Certificate } from './make-certificate.ts';

/**
 * What stands at the door's port. `closed`: nothing, so connections are refused. `silent`: accepts, and never answers. `reset`:
 * accepts, and hangs up.
 */
type Doorkeeper = 'closed' | 'silent' | 'reset' | RequestListener | Passage;

/** Passes connections on to a portal. */
type Passage = {
  readonly portalUrl: string;
  /** With it, browsers come by https. */
  readonly certificate?: Certificate;
};

/** A port behind which a portal may be, or something else, or nothing: a browser sees one origin all the time. */
export type Door = {
  readonly url: string;
  /** Ends what is at the port with all of its connections, and puts this there. */
  readonly set: (keeper: Doorkeeper) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens a door to a portal. */
export async function startDoor(passage: Passage): Promise<Door> {
  let port = 0;
  let server: Server | undefined;
  let sockets = new Set<Socket>();

  async function set(keeper: Doorkeeper): Promise<void> {
    const ended = server && once(server, 'close');
    server?.close();
    for (const socket of sockets) socket.destroy();
    await ended;
    server = undefined;
    sockets = new Set();
    if (keeper === 'closed') return;
    server = createListener(keeper);
    server.on('connection', (socket) => {
      sockets.add(socket);
      // A browser closes its connections whenever it likes.
      socket.on('error', () => undefined);
    });
    port = await listenOnLoopback(server, port);
  }

  await set(passage);
  const scheme = passage.certificate ? 'https' : 'http';
  return { url: `${scheme}://localhost:${port}`, set, close: () => set('closed') };
}

function createListener(keeper: Exclude<Doorkeeper, 'closed'>): Server {
  if (keeper === 'silent') return createServer(() => undefined);
  if (keeper === 'reset') return createServer((socket) => socket.resetAndDestroy());
  if (typeof keeper === 'function') return createHttpServer(keeper);
  const portal = Number(new URL(keeper.portalUrl).port);
  const { certificate } = keeper;
  return certificate ? createTlsServer(certificate, passOn) : createServer(passOn);

  function passOn(socket: Socket): void {
    const behind = connect(portal, '127.0.0.1');
    behind.on('error', () => socket.destroy());
    socket.on('close', () => behind.destroy());
    behind.on('close', () => socket.destroy());
    // A browser that does not trust the certificate hangs up.
    socket.on('error', () => undefined);
    socket.pipe(behind).pipe(socket);
  }
}
