import { type Socket, connect } from 'node:net';

export type RawClient = {
  readonly socket: Socket;
  /** Everything that was received so far. */
  readonly received: () => string;
  /** Resolves with everything that was received, once the server has closed the connection. */
  readonly closed: Promise<string>;
};

/** A client without manners: it sends what it is told to, and shows what comes back. */
export function connectRaw(url: string, { allowHalfOpen = false } = {}): RawClient {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen });
  const chunks: Buffer[] = [];
  const received = (): string => Buffer.concat(chunks).toString('latin1');
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined); // A reset is one way for the server to close.
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received())));
  return { socket, received, closed };
}
