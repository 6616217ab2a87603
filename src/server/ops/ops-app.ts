import type { Registry } from 'prom-client';
import { refuseStranger } from '../console/guard-access.ts';
import type { Answer, App } from '../http/exchange.ts';
import { isSameToken, readBearer } from './is-same-token.ts';

export type OpsDeps = {
  readonly registry: Registry;
  /** False while the server is closing: a load balancer should look elsewhere. */
  readonly isReady: () => boolean;
  /** Demanded as a bearer token where it is given. */
  readonly token: string | undefined;
  /** Answers everything else, by its own rules of access. */
  readonly console: App;
  readonly answerError: (error: unknown) => Answer;
};

/** What the operator's tools ask (is it alive, is it ready, what has it counted), and the operator's console. */
export function createOpsApp({ registry, isReady, token, console, answerError }: OpsDeps): App {
  return async (request) => {
    try {
      switch (request.path) {
        case '/healthz':
          checkBearer(request.header('authorization'));
          return answerText(200, 'ok\n');
        case '/readyz':
          checkBearer(request.header('authorization'));
          return isReady() ? answerText(200, 'ready\n') : answerText(503, 'closing\n');
        case '/metrics':
          checkBearer(request.header('authorization'));
          return answerText(200, await registry.metrics(), registry.contentType);
        default:
          return await console(request);
      }
    } catch (error) {
      return answerError(error);
    }
  };

  function checkBearer(authorization: string | undefined): void {
    if (token !== undefined && !isSameToken(readBearer(authorization) ?? '', token)) throw refuseStranger();
  }
}

function answerText(status: number, body: string, type = 'text/plain; charset=utf-8'): Answer {
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: { 'Content-Type': type, 'Content-Length': length, 'Cache-Control': 'no-store' },
    body,
  };
}
