import { CALLER_PATH, HOSTNAMES_PATH, LINKS_PATH, MEASUREMENTS_PATH } from '../../contract/paths.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Answer, App } from './exchange.ts';

/** What is logged of a request: neither addresses nor the query, which may hold secrets. */
export type RequestRecord = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
};

export type ObserverDeps = {
  readonly logRequest: (record: RequestRecord) => void;
  readonly metrics: Pick<Metrics, 'countRequest'>;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicNow: () => number;
};

const MAX_LOGGED_PATH = 200;
const EXACT_ROUTES = new Set(['/', '/r', '/t', LINKS_PATH, CALLER_PATH, HOSTNAMES_PATH, MEASUREMENTS_PATH]);
const PREFIX_ROUTES = ['/assets/', '/site/', '/json/urls/', '/t/'].map((prefix) => ({
  prefix,
  route: `${prefix}*`,
}));

/** Logs and counts every request. */
export function observeRequests(app: App, { logRequest, metrics, monotonicNow }: ObserverDeps): App {
  return (request) => {
    const startedAt = monotonicNow();
    const record = (answer: Answer): Answer => {
      const ms = monotonicNow() - startedAt;
      const { method, path } = request;
      const { status } = answer;
      metrics.countRequest(routeOf(path), status, ms / 1000);
      logRequest({ method, path: path.slice(0, MAX_LOGGED_PATH), status, ms: Math.round(ms * 100) / 100 });
      return answer;
    };
    const answer = app(request);
    return answer instanceof Promise ? answer.then(record) : record(answer);
  };
}

/** A bounded set of names: what visitors make up must not become a metric each. */
function routeOf(path: string): string {
  if (EXACT_ROUTES.has(path)) return path;
  return PREFIX_ROUTES.find(({ prefix }) => path.startsWith(prefix))?.route ?? 'other';
}
