import type { MiddlewareHandler } from 'hono';
import { nameCaller } from '../caller/parse-address.ts';
import { HttpError } from '../http/errors.ts';
import type { RateLimiter, RateVerdict } from '../http/create-rate-limiter.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Visit, VisitEnv } from './visit.ts';

export type RateLimitDeps = {
  readonly limiter: RateLimiter;
  readonly metrics: Pick<Metrics, 'countRateLimited'>;
};

/** Puts a limit on how often one caller may use the routes of the API. */
export function limitRate({ limiter, metrics }: RateLimitDeps): MiddlewareHandler<VisitEnv> {
  return async (c, next) => {
    const verdict = countApiCall(c.get('visit'), limiter);
    if (verdict === undefined) return next();
    // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
    const headers = { RateLimit: `"api";r=${verdict.remaining};t=${verdict.resetSeconds}` };
    if (!verdict.isAllowed) {
      metrics.countRateLimited();
      throw new HttpError(429, {
        code: 'rate-limited',
        message: `At most ${verdict.limit} requests in ${limiter.windowSeconds} seconds are answered.`,
        headers: { ...headers, 'Retry-After': String(verdict.resetSeconds) },
      });
    }
    c.set('apiHeaders', headers);
    await next();
    if (c.error !== undefined) c.res.headers.set('RateLimit', headers.RateLimit);
    return undefined;
  };
}

/** Counts a call of the API. Undefined for a caller who has no limit (`limits.exempt`). */
export function countApiCall({ site, caller }: Visit, limiter: RateLimiter): RateVerdict | undefined {
  if (site.exempt.has(caller.address)) return undefined;
  return limiter.consume(nameCaller(caller.address));
}
