import type { Context } from 'hono';
import { networkOf } from '../caller/parse-address.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { HttpError } from './http-error.ts';
import type { AnswerHeaders } from './prepare-answer.ts';
import type { RateLimiter, RateVerdict } from './rate-limiter.ts';
import { type AppEnv, type Visit, readVisit } from './visit.ts';

export type ApiCall = {
  readonly c: Context<AppEnv>;
  readonly visit: Visit;
  /** What every answer of the API tells its caller about the limit. */
  readonly rateHeaders: AnswerHeaders;
};

export type ApiHandler = (call: ApiCall) => Response | Promise<Response>;

export type RateLimitDeps = {
  readonly site: () => PublishedSite;
  readonly apiLimiter: RateLimiter;
  readonly metrics: Pick<Metrics, 'countRateLimited'>;
};

/** An IPv6 caller has a /64 to itself, and could take a new address for each request. */
const CALLER_PARTS = { ipv4: 4, ipv6: 4 };

/** Puts a limit on how often one caller may use a route of the API. */
export function limitRate(
  { site, apiLimiter, metrics }: RateLimitDeps,
  handler: ApiHandler,
): (c: Context<AppEnv>) => Promise<Response> {
  return async (c) => {
    const visit = readVisit(c, site());
    const verdict = await apiLimiter.consume(networkOf(visit.caller.address, CALLER_PARTS));
    const rateHeaders = buildRateHeaders(verdict, apiLimiter.windowSeconds);
    if (verdict.isAllowed) return handler({ c, visit, rateHeaders });
    metrics.countRateLimited();
    throw new HttpError(429, {
      code: 'rate-limited',
      message: `At most ${verdict.limit} requests in ${apiLimiter.windowSeconds} seconds are answered.`,
      headers: { ...rateHeaders, 'Retry-After': String(verdict.resetSeconds) },
    });
  };
}

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
function buildRateHeaders(
  { limit, remaining, resetSeconds }: RateVerdict,
  windowSeconds: number,
): AnswerHeaders {
  return {
    'RateLimit-Policy': `"api";q=${limit};w=${windowSeconds}`,
    RateLimit: `"api";r=${remaining};t=${resetSeconds}`,
  };
}
