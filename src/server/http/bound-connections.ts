import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiCode } from '../../contract/error-codes.ts';
import { nameCaller, parseAddress } from '../caller/parse-address.ts';
import { JSON_HEADERS } from './answer.ts';

/** What clients may hold open. Beyond it connections are cut, so memory does not grow. */
export type ConnectionBounds = {
  /** Connections of everyone together. */
  readonly maxConnections: number;
  /** Connections of one address (IPv6: one /64). */
  readonly maxConnectionsPerAddress: number;
  /** Requests on one connection that are not answered yet, or whose answers are not taken. */
  readonly maxOpenRequests: number;
  /** Such requests of everyone together. Beyond it, each connection may have only one. */
  readonly maxOpenRequestsOfAll: number;
  /** Bytes of answers that wait on one connection when it sends another request. */
  readonly maxUntakenBytes: number;
};

export const CONNECTION_BOUNDS: ConnectionBounds = {
  maxConnections: 4_000,
  maxConnectionsPerAddress: 400,
  // Browsers and proxies send the next request when the last one is answered.
  maxOpenRequests: 16,
  maxOpenRequestsOfAll: 1_000,
  maxUntakenBytes: 1_000_000,
};

/** Why a connection was cut. */
export type CutReason =
  /** It was new, and every place was held by an address that many share. */
  | 'too-many'
  /** A new one needed its place. It had a request open, and its address held the most connections. */
  | 'too-many-of-address'
  /** A new one needed its place, and it was idle. */
  | 'made-room'
  | 'too-many-requests'
  | 'answers-not-taken';

const BUSY_RETRY_S = 2;

/**
 * What a connection gets before it is cut, if it waits for an answer and has got no part of it. Written straight to the
 * socket: the answer that Node has for it belongs to the handler.
 */
const BUSY_ANSWER = writeBusyAnswer();

export type ConnectionBoundsDeps = {
  readonly bounds: ConnectionBounds;
  /**
   * True for an address that many visitors share: the bound for one address does not apply to it, and its connections are
   * not cut to make room.
   */
  readonly isShared: (address: string) => boolean;
  readonly onCut: (reason: CutReason) => void;
};

export type BoundConnections = {
  /** Bounds the connections of a server. Call it once, before the server listens. */
  readonly watch: (server: Server) => void;
  /** Bounds the requests on each of them. */
  readonly bound: (listener: RequestListener) => RequestListener;
};

type Connection = {
  readonly socket: Socket;
  readonly isShared: boolean;
  /** All connections of the same address. */
  readonly neighbours: Set<Connection>;
  /** Those that are not taken yet. */
  readonly answers: Set<ServerResponse>;
};

/** Bounds what clients hold open at a server of Node, whatever answers the requests. */
export function boundConnections({ bounds, isShared, onCut }: ConnectionBoundsDeps): BoundConnections {
  // Each in the order in which they were last used.
  const all = new Set<Connection>();
  const byAddress = new Map<string, Set<Connection>>();
  const bySocket = new WeakMap<Socket, Connection>();
  let openRequests = 0;

  return {
    watch: (server) => void server.on('connection', accept),
    bound: (listener) => (incoming, outgoing) => {
      if (!incoming.socket.destroyed && admit(incoming, outgoing)) listener(incoming, outgoing);
    },
  };

  function accept(socket: Socket): void {
    const peer = socket.remoteAddress ?? '';
    const address = nameAddress(peer);
    const neighbours = byAddress.get(address) ?? new Set();
    const connection = { socket, isShared: isShared(peer), neighbours, answers: new Set<ServerResponse>() };
    if (!connection.isShared && neighbours.size >= bounds.maxConnectionsPerAddress) makeRoom(neighbours, 0);
    // An address that holds many connections must not push out those that hold fewer.
    const most = connection.isShared ? 0 : neighbours.size;
    if (all.size >= bounds.maxConnections && !makeRoom(all, most)) return cut(connection, 'too-many');
    all.add(connection);
    neighbours.add(connection);
    byAddress.set(address, neighbours);
    bySocket.set(socket, connection);
    socket.once('close', () => {
      leave(connection);
      if (neighbours.size === 0 && byAddress.get(address) === neighbours) byAddress.delete(address);
      closeAnswers(connection.answers);
    });
  }

  function admit({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
    const connection = bySocket.get(socket);
    if (connection === undefined) return true;
    const mostRequests = openRequests < bounds.maxOpenRequestsOfAll ? bounds.maxOpenRequests : 1;
    const reason = findExcess(connection, mostRequests, bounds.maxUntakenBytes);
    if (reason !== undefined) {
      cut(connection, reason);
      return false;
    }
    const { answers } = connection;
    answers.add(outgoing);
    openRequests += 1;
    outgoing.once('close', () => {
      answers.delete(outgoing);
      openRequests -= 1;
      // The sets are in the order of the last use.
      if (!socket.destroyed) for (const set of [all, connection.neighbours]) moveToEnd(set, connection);
    });
    return true;
  }

  /** Cuts a connection, see `chooseToCut`. Says whether there was one. */
  function makeRoom(connections: ReadonlySet<Connection>, atLeast: number): boolean {
    const chosen = chooseToCut(connections, atLeast);
    if (chosen !== undefined) cut(chosen, chosen.answers.size === 0 ? 'made-room' : 'too-many-of-address');
    return chosen !== undefined;
  }

  function cut(connection: Connection, reason: CutReason): void {
    const { socket } = connection;
    onCut(reason);
    leave(connection);
    stopReading(socket);
    // Node hands this to the system at once, because nothing waits before it.
    if (awaitsAnswer(connection)) socket.write(BUSY_ANSWER);
    socket.destroy();
  }

  function leave(connection: Connection): void {
    all.delete(connection);
    connection.neighbours.delete(connection);
  }
}

function moveToEnd(connections: Set<Connection>, connection: Connection): void {
  if (connections.delete(connection)) connections.add(connection);
}

function findExcess(
  connection: Connection,
  mostRequests: number,
  mostUntakenBytes: number,
): CutReason | undefined {
  const { size } = connection.answers;
  if (size >= mostRequests) return 'too-many-requests';
  return size > 0 && countUntaken(connection) > mostUntakenBytes ? 'answers-not-taken' : undefined;
}

/**
 * Chooses the connection that has been idle for longest, of the addresses that hold at least this many. If none is idle,
 * chooses the one that was used longest ago of the address that holds the most.
 */
function chooseToCut(connections: ReadonlySet<Connection>, atLeast: number): Connection | undefined {
  let busiest: Connection | undefined;
  for (const connection of connections) {
    const { size } = connection.neighbours;
    if (connection.isShared || size < atLeast) continue;
    if (connection.answers.size === 0) return connection;
    if (size > (busiest?.neighbours.size ?? 0)) busiest = connection;
  }
  return busiest;
}

function nameAddress(peer: string): string {
  const address = parseAddress(peer);
  return address === undefined ? peer : nameCaller(address);
}

/** Whether a request waits on a connection, and no byte of its answer was sent. */
function awaitsAnswer({ socket, answers }: Connection): boolean {
  const [first] = answers;
  return first !== undefined && !first.headersSent && socket.writable && socket.writableLength === 0;
}

function countUntaken({ socket, answers }: Connection): number {
  let bytes = socket.writableLength;
  // Only the oldest answer writes to the socket; the others keep their bytes until it is their turn.
  for (const answer of answers) if (answer.socket === null) bytes += answer.writableLength;
  return bytes;
}

/**
 * Node reads every request in the bytes that have arrived, even if the first of them made us destroy the connection: two
 * thousand requests in 64 KB, and for each it makes objects and an error. Its parser stops if it gets the answer 2 ("another
 * protocol follows") to a request. `npx vitest run bound-connections` fails if a version of Node does not stop.
 */
function stopReading(socket: Socket & { parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
}

/**
 * When a client has gone, Node tells only the answer whose turn it was. The others would wait for ever, so we close them
 * here.
 */
function closeAnswers(answers: ReadonlySet<ServerResponse>): void {
  for (const answer of answers) {
    if (answer.closed) continue;
    answer.destroy();
    answer.emit('close');
  }
}

function writeBusyAnswer(): string {
  const error: { code: ApiCode; message: string } = {
    code: 'too-busy',
    message: 'Too many requests or connections are open. Try again in a moment.',
  };
  const body = JSON.stringify({ error });
  const headers = {
    ...JSON_HEADERS,
    'Content-Length': String(body.length),
    'Retry-After': String(BUSY_RETRY_S),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 503 Service Unavailable\r\n${lines.join('')}\r\n${body}`;
}
