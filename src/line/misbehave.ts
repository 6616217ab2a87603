import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Next } from 'hono';
import { LANDING_PATH } from '../contract/paths.ts';
import { answerAsForeigner } from './answer-as-foreigner.ts';
import type { LineBehaviour, LineMisbehaviour } from './line-behaviour.ts';
import {
  HEALTH_PATH,
  type LineContext,
  type CountRequest,
  answerSpeedCheck,
  speedCheckHeaders,
} from './speed-check.ts';

export type MisbehaveDeps = {
  readonly behaviour: LineBehaviour;
  /** Answers as a good line does. */
  readonly next: Next;
  readonly count: CountRequest;
};

const CHUNK = Buffer.alloc(65_536, '.');

/** Lets a line answer late, or fail, as its behaviour says. */
export async function misbehave(c: LineContext, deps: MisbehaveDeps): Promise<Response | void> {
  const { fault, delayMs = 0 } = deps.behaviour;
  const isThere = fault === 'hang' ? await waitUntilGone(c) : await waitFor(c, delayMs);
  if (!isThere) {
    deps.count('aborted');
    return answerBySocket();
  }
  return fault === undefined || fault === 'hang' ? deps.next() : fail(c, fault, deps);
}

/** Resolves after this long with true, or with false as soon as the client has gone. */
function waitFor(c: LineContext, delayMs: number): Promise<boolean> | boolean {
  if (delayMs === 0) return true;
  const { outgoing } = c.env;
  return new Promise((resolve) => {
    const leave = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      outgoing.off('close', leave);
      resolve(true);
    }, delayMs);
    outgoing.once('close', leave);
  });
}

function waitUntilGone(c: LineContext): Promise<false> {
  return new Promise((resolve) => {
    c.env.outgoing.once('close', () => resolve(false));
  });
}

async function fail(
  c: LineContext,
  fault: Exclude<LineMisbehaviour, 'hang'>,
  { next, count }: MisbehaveDeps,
): Promise<Response | void> {
  const identity = c.get('identity');
  const { socket } = c.env.incoming;
  switch (fault) {
    case 'refuse':
      socket.destroy();
      return answerBySocket();
    case 'wrong-marker':
      c.set('identity', { ...identity, marker: `not-${identity.marker}` });
      return next();
    case 'no-marker':
      await next();
      c.res.headers.delete(identity.markerHeader);
      return undefined;
    case 'not-exposed':
      await next();
      c.res.headers.delete('Access-Control-Expose-Headers');
      return undefined;
    case 'no-page':
      return c.req.path === LANDING_PATH ? c.notFound() : next();
    case 'dead-application':
      return c.req.path === HEALTH_PATH ? c.json({ status: 'dead' }, 503) : next();
    case 'hanging-application':
      if (c.req.path !== HEALTH_PATH) return next();
      await waitUntilGone(c);
      return answerBySocket();
    case 'redirect':
      return c.body('ok', 302, { ...speedCheckHeaders(identity), Location: '/elsewhere' });
    case 'error':
      return answerSpeedCheck(c, 500);
    case 'bad-gateway':
      return answerSpeedCheck(c, 502);
    case 'huge-body':
      return c.body(createEndlessBody(count), 200, speedCheckHeaders(identity));
    case 'reset-head':
      socket.write(`HTTP/1.1 200 OK\r\n${identity.markerHeader}: `, () => reset(socket));
      return answerBySocket();
    case 'reset-body': {
      const { outgoing } = c.env;
      outgoing.writeHead(200, { ...speedCheckHeaders(identity), 'Content-Length': 2 * CHUNK.length });
      outgoing.write(CHUNK, () => reset(socket));
      return answerBySocket();
    }
    case 'no-cors':
    case 'redirect-elsewhere':
    case 'redirect-to-http':
    case 'redirect-to-login':
    case 'parking-page':
    case 'marker-without-cors':
    case 'captive-portal':
      return answerAsForeigner(c, fault);
  }
}

/** Writes chunks until the client leaves. Each waits until the last one was taken. */
function createEndlessBody(count: CountRequest): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => {
      controller.enqueue(CHUNK);
      count('bodyBytes', CHUNK.length);
    },
    cancel: () => count('aborted'),
  });
}

/** Sends a TCP reset. Under TLS Node cannot send one, so the connection just ends. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/**
 * Returned by a handler that has written to the socket itself. Hono's adapter finds its own mark only in a complete
 * `Response`. Reading `body` completes it; otherwise the adapter would send a head.
 */
function answerBySocket(): Response {
  void RESPONSE_ALREADY_SENT.body;
  return RESPONSE_ALREADY_SENT;
}
