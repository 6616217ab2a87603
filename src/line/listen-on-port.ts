import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readCode, readReason } from '../contract/read-code.ts';
import { LOOPBACKS, isNoAddress } from './find-free-ports.ts';

/** At most 10 free ports are tried: the other loopback address may already use the one that was drawn. */
const EPHEMERAL_TRIES = 10;

/** A line host that cannot start. The message is one line and names the port. */
class LineHostsError extends Error {
  override readonly name = 'LineHostsError';
  readonly code = 'line-hosts';

  constructor(port: number, cause: unknown) {
    super(describeFailure(port, cause), { cause });
  }
}

export type Listening = { readonly port: number; readonly servers: readonly Server[] };

/**
 * Listens on one port (0 draws a free one) of an address. Without an address both loopbacks answer, because a
 * `*.localhost` name may resolve to either.
 */
export async function listenOnPort(
  createServer: () => Server,
  port: number,
  address: string | undefined,
): Promise<Listening> {
  if (address !== undefined) {
    const server = createServer();
    return { port: await listen(server, port, address), servers: [server] };
  }
  for (let tries = 1; ; tries += 1) {
    const first = createServer();
    const second = createServer();
    const realPort = await listen(first, port, LOOPBACKS[0]);
    try {
      await listen(second, realPort, LOOPBACKS[1]);
      return { port: realPort, servers: [first, second] };
    } catch (error) {
      if (error instanceof LineHostsError && isNoAddress(error.cause))
        return { port: realPort, servers: [first] };
      first.close();
      if (port !== 0 || tries === EPHEMERAL_TRIES) throw error;
    }
  }
}

function listen(server: Server, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new LineHostsError(port, error));
    server.once('error', fail);
    server.listen({ port, host: address }, () => {
      server.off('error', fail);
      // A server on a port, not on a pipe, has an address of this type.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function describeFailure(port: number, cause: unknown): string {
  const code = readCode(cause);
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop what listens there, or choose another port`;
  if (code === 'EACCES') return `port ${port} needs more rights: choose one above 1023`;
  return `cannot listen on port ${port}: ${readReason(cause)}`;
}
