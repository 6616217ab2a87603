import { createHash, timingSafeEqual } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Answer, App } from '../http/exchange.ts';
import { HttpError } from '../http/http-error.ts';

export type OpsDeps = {
  readonly registry: Registry;
  /** False while the server is closing: a load balancer should look elsewhere. */
  readonly isReady: () => boolean;
  /** Demanded as a bearer token where it is given. */
  readonly token: string | undefined;
  readonly answerError: (error: unknown) => Answer;
};

/** What the operator's tools ask: is it alive, is it ready, what has it counted. */
export function createOpsApp({ registry, isReady, token, answerError }: OpsDeps): App {
  return async ({ path, header }) => {
    try {
      if (token !== undefined && !isBearer(header('authorization'), token)) throw refuseStranger();
      switch (path) {
        case '/healthz':
          return answerText(200, 'ok\n');
        case '/readyz':
          return isReady() ? answerText(200, 'ready\n') : answerText(503, 'closing\n');
        case '/metrics':
          return answerText(200, await registry.metrics(), registry.contentType);
        default:
          throw new HttpError(404, {
            code: 'not-found',
            message: 'Here are /healthz, /readyz and /metrics.',
          });
      }
    } catch (error) {
      return answerError(error);
    }
  };
}

function answerText(status: number, body: string, type = 'text/plain; charset=utf-8'): Answer {
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: { 'Content-Type': type, 'Content-Length': length, 'Cache-Control': 'no-store' },
    body,
  };
}

function refuseStranger(): HttpError {
  return new HttpError(401, {
    code: 'token-required',
    message: 'This listener demands the token of WAYPOST_OPS_TOKEN.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Compares digests, which are of one length, in a time that tells nothing. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
