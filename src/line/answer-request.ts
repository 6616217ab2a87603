import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { LineBehaviour, LineFault } from './line-behaviour.ts';
import type { LineIdentity } from './line-identity.ts';
import { type LineAnswer, misdirectedAnswer, selectAnswer, speedCheckAnswer } from './select-answer.ts';

const CHUNK = Buffer.alloc(65_536, '.');

export type LineRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hostname: string;
  readonly identity: LineIdentity;
  /** Undefined for a host that is none of the lines here. */
  readonly behaviour: LineBehaviour | undefined;
  /** The client left before the first byte of the answer. */
  readonly onAbort: () => void;
  /** That many bytes of an endless body were taken over by the client's side. */
  readonly onBody: (bytes: number) => void;
};

/** Answers one request the way a line host does, or fails the way its behaviour asks for. */
export function answerRequest(line: LineRequest): void {
  const { request, response, hostname, identity, behaviour, onAbort } = line;
  if (behaviour === undefined) {
    send(response, misdirectedAnswer(hostname));
    return;
  }
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
    if (fault === undefined) send(response, selectAnswer(request, hostname, identity));
    else fail(line, fault);
  };
  if (delayMs > 0) timer = setTimeout(answer, delayMs);
  else answer();
}

function send(response: ServerResponse, { status, headers, body }: LineAnswer): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function fail(line: LineRequest, fault: Exclude<LineFault, 'hang'>): void {
  const { request, response, hostname, identity } = line;
  const speedCheck = speedCheckAnswer(identity);
  switch (fault) {
    case 'refuse':
      request.socket.destroy();
      return;
    case 'wrong-marker': {
      const other = { ...identity, marker: `not-${identity.marker}` };
      send(response, selectAnswer(request, hostname, other));
      return;
    }
    case 'no-marker': {
      const answer = selectAnswer(request, hostname, identity);
      const { [identity.markerHeader]: _, ...headers } = answer.headers;
      send(response, { ...answer, headers });
      return;
    }
    case 'not-exposed': {
      const answer = selectAnswer(request, hostname, identity);
      const { 'Access-Control-Expose-Headers': _, ...headers } = answer.headers;
      send(response, { ...answer, headers });
      return;
    }
    case 'no-page': {
      const { method, url } = request;
      send(response, selectAnswer({ method, url: url === '/' ? '/missing' : url }, hostname, identity));
      return;
    }
    case 'redirect':
      send(response, {
        ...speedCheck,
        status: 302,
        headers: { ...speedCheck.headers, Location: '/elsewhere' },
      });
      return;
    case 'error':
      send(response, speedCheckAnswer(identity, 500));
      return;
    case 'huge-body':
      response.writeHead(200, speedCheck.headers);
      if (request.method === 'HEAD') response.end();
      else writeWithoutEnd(line);
      return;
    case 'reset-head':
      request.socket.write(`HTTP/1.1 200 OK\r\n${identity.markerHeader}: `, () => reset(request.socket));
      return;
    case 'reset-body':
      response.writeHead(200, { ...speedCheck.headers, 'Content-Length': 2 * CHUNK.length });
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
