import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, App, AppRequest } from './exchange.ts';

/** Lets Node's HTTP server answer with an app. The app itself must not fail. */
export function answerWith(app: App): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    const answer = app(readRequest(incoming));
    if (answer instanceof Promise) void answer.then((made) => send(made, outgoing));
    else send(answer, outgoing);
  };
}

function readRequest(incoming: IncomingMessage): AppRequest {
  const url = originForm(incoming.url ?? '/');
  const queryAt = url.indexOf('?');
  const { socket, headers } = incoming;
  return {
    method: incoming.method ?? 'GET',
    path: queryAt === -1 ? url : url.slice(0, queryAt),
    query: queryAt === -1 ? '' : url.slice(queryAt + 1),
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    readBody: (maxBytes) => readBody(incoming, maxBytes),
    peerAddress: socket.remoteAddress ?? '',
    isEncrypted: 'encrypted' in socket,
  };
}

/** A proxy may send the whole URL as the target of its request (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  return /^https?:\/\/[^/?]*(.*)$/i.exec(target)?.[1] || '/';
}

function send({ status, headers, body }: Answer, outgoing: ServerResponse): void {
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined; // The sender hung up.
  }
  return Buffer.concat(chunks).toString('utf8');
}
