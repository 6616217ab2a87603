import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on a port of loopback, by default a free one. Returns the port. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port, not on a pipe, has an address of this type.
  return (server.address() as AddressInfo).port;
}
