import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { LANDING_PATH, SPEED_CHECK_PATH } from '../contract/paths.ts';
import type { LineBehaviour, LineFault } from './line-behaviour.ts';
import type { LineIdentity } from './line-identity.ts';
import { renderLinePage } from './render-line-page.ts';

const CHUNK = Buffer.alloc(65_536, '.');

export type LineRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hostname: string;
  readonly identity: LineIdentity;
  /** Undefined for a host that is none of these lines. */
  readonly behaviour: LineBehaviour | undefined;
  /** The client left before the first byte of the answer. */
  readonly onAbort: () => void;
  /** That many bytes of a body were taken over by the client's side. */
  readonly onBody: (bytes: number) => void;
};

/** Answers one request the way a line host does, or fails the way its behaviour asks for. */
export function answerRequest(line: LineRequest): void {
  const { response, behaviour = {}, onAbort } = line;
  const { fault, delayMs = 0 } = behaviour;
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    clearTimeout(timer);
    onAbort();
  };
  response.once('close', leave);
  if (fault === 'hang') return;
  const answer = (): void => {
    response.off('close', leave);
    if (fault === undefined) sendAnswer(line, selectAnswer(line));
    else fail(line, fault);
  };
  if (delayMs > 0) timer = setTimeout(answer, delayMs);
  else answer();
}

type Answer = { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: string };

function selectAnswer({ request, hostname, identity, behaviour }: LineRequest): Answer {
  if (behaviour === undefined) return plainText(421, `${hostname} is not a line of this server`);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = request.url?.replace(/\?.*$/, '');
  if (isRead && path === SPEED_CHECK_PATH) return plainText(200, 'ok');
  if (isRead && path === LANDING_PATH) {
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
        'X-Robots-Tag': 'noindex',
      },
      body: renderLinePage(hostname, identity.marker),
    };
  }
  return plainText(404, 'not found');
}

function plainText(status: number, text: string): Answer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}

function sendAnswer({ response, identity }: LineRequest, { status, headers, body }: Answer): void {
  response.writeHead(status, {
    ...lineHeaders(identity),
    ...headers,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

function lineHeaders({ marker, markerHeader }: LineIdentity): OutgoingHttpHeaders {
  return {
    [markerHeader]: marker,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': markerHeader,
    'Timing-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
}

function fail(line: LineRequest, fault: Exclude<LineFault, 'hang'>): void {
  const { request, response, identity } = line;
  switch (fault) {
    case 'refuse':
      request.socket.destroy();
      return;
    case 'wrong-marker': {
      const other = { ...identity, marker: `not-${identity.marker}` };
      sendAnswer({ ...line, identity: other }, selectAnswer(line));
      return;
    }
    case 'no-marker': {
      const { status, headers, body } = selectAnswer(line);
      const { [identity.markerHeader]: _, ...unmarked } = lineHeaders(identity);
      response.writeHead(status, { ...unmarked, ...headers }).end(body);
      return;
    }
    case 'redirect':
      sendAnswer(line, { status: 302, headers: { Location: '/elsewhere' }, body: '' });
      return;
    case 'error':
      sendAnswer(line, plainText(500, 'out of order'));
      return;
    case 'huge-body':
      response.writeHead(200, lineHeaders(identity));
      if (request.method === 'HEAD') response.end();
      else writeWithoutEnd(line);
      return;
    case 'reset-head':
      request.socket.write(`HTTP/1.1 200 OK\r\n${identity.markerHeader}: `, () => reset(request.socket));
      return;
    case 'reset-body':
      response.writeHead(200, { ...lineHeaders(identity), 'Content-Length': 2 * CHUNK.length });
      response.write(CHUNK, () => reset(request.socket));
  }
}

/** Writes chunk after chunk, the next when the last was taken, until the client leaves. */
function writeWithoutEnd(line: LineRequest): void {
  line.response.write(CHUNK, (error) => {
    if (error || line.response.destroyed) return;
    line.onBody(CHUNK.length);
    writeWithoutEnd(line);
  });
}

/** A reset is a matter of TCP: under TLS, where Node cannot send one, the connection just ends. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
