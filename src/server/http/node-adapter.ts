import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, AnswerStream, App, AppRequest } from './exchange.ts';

export type AdapterOptions = {
  /** A client that takes nothing of its answer for this long is cut off. */
  readonly stalledTimeoutMs: number;
};

/** Of a stream, beyond what the system's own buffers hold. */
const MAX_UNTAKEN_BYTES = 1_000_000;

/** Of one header. Browsers and proxies send far less, and nginx refuses a longer one by default. */
const MAX_HEADER_CHARS = 8_192;
const READ_FROM_END = new Set(['x-forwarded-for', 'forwarded']);

/** Lets Node's HTTP server answer with an app. The app itself must not fail. */
export function answerWith(
  app: App,
  { stalledTimeoutMs }: AdapterOptions,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    const send = ({ status, headers, body }: Answer): void => {
      outgoing.writeHead(status, headers);
      if (typeof body === 'function') {
        startStream(body, incoming, outgoing);
        return;
      }
      // Node sends a text in one piece with the head, and fastest where each of its characters is a byte.
      if (typeof body === 'string') outgoing.end(body, isAscii(body) ? 'latin1' : 'utf8');
      else outgoing.end(body);
      // A timeout for every connection would be set anew with each of its reads and writes. Nearly every answer is with
      // the system at once; only a client that is slow to take its answer gets one.
      if (incoming.socket.writableLength > 0) incoming.socket.setTimeout(stalledTimeoutMs);
    };
    const answer = app(readRequest(incoming));
    if (answer instanceof Promise) void answer.then(send);
    else send(answer);
  };
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function startStream(start: AnswerStream, { method }: IncomingMessage, outgoing: ServerResponse): void {
  if (method === 'HEAD' || outgoing.destroyed) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const stop = start({
    write: (text) => {
      if (outgoing.writableLength > MAX_UNTAKEN_BYTES) outgoing.destroy();
      else outgoing.write(text);
    },
    end: () => outgoing.end(),
  });
  outgoing.once('close', stop);
}

function readRequest(incoming: IncomingMessage): AppRequest {
  const url = originForm(incoming.url ?? '/');
  const queryAt = url.indexOf('?');
  const { socket, headers } = incoming;
  return {
    method: incoming.method ?? 'GET',
    path: queryAt === -1 ? url : url.slice(0, queryAt),
    query: queryAt === -1 ? '' : url.slice(queryAt + 1),
    header: (name) => boundHeader(name, headers[name]),
    readBody: (maxBytes) => readBody(incoming, maxBytes),
    peerAddress: socket.remoteAddress ?? '',
    isEncrypted: 'encrypted' in socket,
  };
}

/** What is longer counts as not sent. The lists of proxies are read from their end, where the nearest proxy wrote. */
function boundHeader(name: string, given: string | readonly string[] | undefined): string | undefined {
  const value = typeof given === 'object' ? given.join(', ') : given;
  if (value === undefined || value.length <= MAX_HEADER_CHARS) return value;
  return READ_FROM_END.has(name) ? value.slice(-MAX_HEADER_CHARS) : undefined;
}

/** A proxy may send the whole URL as the target of its request (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [scheme] = /^https?:\/\//i.exec(target) ?? [];
  if (scheme === undefined) return '/';
  const rest = target.slice(scheme.length);
  const start = rest.search(/[/?]/);
  return start === -1 ? '/' : rest.slice(start);
}

/** A body that is too large is read to its end and forgotten: a sender that is cut off would not see its answer. */
function readBody(incoming: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    // The sender hung up; the one that is in time is the one that counts.
    incoming.on('error', () => resolve(undefined));
    incoming.on('close', () => resolve(undefined));
  });
}
