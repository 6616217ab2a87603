import type { Logger } from 'pino';
import { CALLER_PATH, HOSTNAMES_PATH, LINKS_PATH, MEASUREMENTS_PATH } from '../../contract/paths.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { ConnectionInfo } from './visit.ts';

export type Fetch = (request: Request, connection: ConnectionInfo) => Response | Promise<Response>;

export type ObserverDeps = {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'countRequest'>;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicNow: () => number;
};

const MAX_LOGGED_PATH = 200;
const EXACT_ROUTES = new Set(['/', '/r', '/t', LINKS_PATH, CALLER_PATH, HOSTNAMES_PATH, MEASUREMENTS_PATH]);
const ROUTE_PREFIXES = ['/t/', '/json/urls/', '/assets/', '/site/'];

/**
 * Logs and counts every request. The log has neither addresses nor the query, which may hold secrets.
 *
 * It stands around the app rather than in it: a middleware would make every answer wait for a promise, and the fastest
 * way out of the adapter is for answers that come at once.
 */
export function observeRequests(fetch: Fetch, { log, metrics, monotonicNow }: ObserverDeps): Fetch {
  return (request, connection) => {
    const startedAt = monotonicNow();
    const record = (response: Response): Response => {
      const ms = monotonicNow() - startedAt;
      const path = pathOf(request.url);
      const { status } = response;
      metrics.countRequest(routeOf(path), status, ms / 1000);
      log.info(
        {
          method: request.method,
          path: path.slice(0, MAX_LOGGED_PATH),
          status,
          ms: Math.round(ms * 100) / 100,
        },
        'request',
      );
      return response;
    };
    const answer = fetch(request, connection);
    return answer instanceof Promise ? answer.then(record) : record(answer);
  };
}

/** A bounded set of names: what visitors make up must not become a metric each. */
function routeOf(path: string): string {
  if (EXACT_ROUTES.has(path)) return path;
  const prefix = ROUTE_PREFIXES.find((prefix) => path.startsWith(prefix));
  return prefix === undefined ? 'other' : `${prefix}*`;
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?', start);
  return url.slice(start, end === -1 ? undefined : end);
}
