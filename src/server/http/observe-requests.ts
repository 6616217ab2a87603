import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/create-metrics.ts';

export type ObserverDeps = {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'countRequest'>;
  /** Milliseconds of a clock that is never set back. */
  readonly monotonicNow: () => number;
};

const MAX_LOGGED_PATH = 200;

/** Logs and counts every request, without the address and the query, which may hold secrets. */
export function observeRequests({ log, metrics, monotonicNow }: ObserverDeps): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = monotonicNow();
    await next();
    const ms = monotonicNow() - startedAt;
    const { method, path } = c.req;
    const { status } = c.res;
    metrics.countRequest(nameRoute(c), status, ms / 1000);
    log.info(
      { method, path: path.slice(0, MAX_LOGGED_PATH), status, ms: Math.round(ms * 100) / 100 },
      'request',
    );
  };
}

/**
 * The route that answered. There are few routes, but visitors can invent any number of paths, and each would become a
 * metric.
 */
function nameRoute(c: Context): string {
  const route = routePath(c);
  return route === '/*' ? 'other' : route;
}
