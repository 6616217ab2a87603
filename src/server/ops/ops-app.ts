import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { Registry } from 'prom-client';
import { HttpError } from '../http/http-error.ts';

export type OpsDeps = {
  readonly registry: Registry;
  /** False while the server is closing: a load balancer should look elsewhere. */
  readonly isReady: () => boolean;
  /** Demanded as a bearer token where it is given. */
  readonly token: string | undefined;
  readonly answerError: (error: unknown) => Response;
};

/** What the operator's tools ask: is it alive, is it ready, what has it counted. */
export function createOpsApp({ registry, isReady, token, answerError }: OpsDeps): Hono {
  const app = new Hono();
  if (token !== undefined) {
    app.use(async (c, next) => {
      if (!isBearer(c.req.header('authorization'), token)) {
        throw new HttpError(401, {
          code: 'token-required',
          message: 'This listener demands the token of WAYPOST_OPS_TOKEN.',
          headers: { 'WWW-Authenticate': 'Bearer' },
        });
      }
      await next();
    });
  }
  app.get('/healthz', (c) => c.text('ok\n'));
  app.get('/readyz', (c) => (isReady() ? c.text('ready\n') : c.text('closing\n', 503)));
  app.get('/metrics', async (c) =>
    c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
  );
  app.notFound(() => {
    throw new HttpError(404, { code: 'not-found', message: 'Here are /healthz, /readyz and /metrics.' });
  });
  app.onError(answerError);
  return app;
}

/** Compares digests, which are of one length, in a time that tells nothing. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
