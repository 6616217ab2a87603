import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export type Relay = {
  readonly port: number;
  /** Leads new connections to another server, and ends those that are open. */
  readonly leadTo: (targetPort: number) => void;
  /** Cuts the way: nothing passes any more, and nobody is told. */
  readonly cut: () => void;
  /** Lets new connections pass again. Those that were cut end. */
  readonly restore: () => void;
  readonly close: () => void;
};

const LOOPBACK = '127.0.0.1';

/**
 * Puts a distance before a server on loopback: half a round trip on every byte, in each direction, and one round trip more
 * before the first byte of a connection, as its handshake would cost.
 */
export async function startRelay(targetPort: number, roundTripMs: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let target = targetPort;
  let isCut = false;
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    if (isCut) {
      sockets.add(near.on('error', () => undefined).once('close', () => sockets.delete(near)));
      return;
    }
    const far = connect({ port: target, host: LOOPBACK, allowHalfOpen: true, noDelay: true });
    for (const socket of [near, far]) sockets.add(socket.once('close', () => sockets.delete(socket)));
    const openAt = performance.now() + roundTripMs;
    passOn(near, far, () => Math.max(0, openAt - performance.now()) + roundTripMs / 2);
    passOn(far, near, () => roundTripMs / 2);
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  return {
    // It listens on a port, not on a pipe.
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
      endAll();
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    restore: () => {
      isCut = false;
      endAll();
    },
    close: () => {
      server.close();
      endAll();
    },
  };
}

/** Hands everything that happens on one side to the other, in its order and with its delay. */
function passOn(from: Socket, to: Socket, delayMs: () => number): void {
  const underWay: (() => void)[] = [];
  const later = (act: () => void): void => {
    underWay.push(act);
    // Two timers of the same moment may fire in either order: each takes the act whose turn it is.
    setTimeout(() => underWay.shift()?.(), delayMs());
  };
  from.on('data', (bytes) => later(() => to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  // If one side of a connection breaks, both sides end. The error of the other side does not matter here.
  from.on('error', () => later(() => to.destroy()));
}
