import { type Socket, connect } from 'node:net';

export type RawClient = {
  readonly socket: Socket;
  /** Everything that was received so far. */
  readonly received: () => string;
  /** Resolves with everything that was received, once the server has closed the connection. */
  readonly closed: Promise<string>;
};

type RawClientOptions = {
  readonly allowHalfOpen?: boolean;
  /** The address that it calls from. */
  readonly localAddress?: string;
};

/** A client without manners: it sends what it is told to, and shows what comes back. */
export function connectRaw(url: string, options: RawClientOptions = {}): RawClient {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...options });
  const chunks: Buffer[] = [];
  const received = (): string => Buffer.concat(chunks).toString('latin1');
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined); // A reset is one way for the server to close.
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received())));
  return { socket, received, closed };
}
