import { networkOf } from '../caller/parse-address.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createJsonHeaders } from '../http/answer.ts';
import type { Answer } from '../http/exchange.ts';
import { HttpError } from '../http/http-error.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { Visit } from './visit.ts';

/** A visit to the API, and the headers that its answer is to have. They are its own: the answer may add to them. */
export type ApiVisit = Visit & { readonly headers: Record<string, string> };

export type RateLimitDeps = {
  readonly apiLimiter: RateLimiter;
  readonly metrics: Pick<Metrics, 'countRateLimited'>;
};

/** An IPv6 caller has a /64 to itself, and could take a new address for each request. */
const CALLER_PARTS = { ipv4: 4, ipv6: 4 };

/** Puts a limit on how often one caller may use a route of the API. */
export function limitRate(
  { apiLimiter, metrics }: RateLimitDeps,
  answer: (visit: ApiVisit) => Answer | Promise<Answer>,
): (visit: Visit) => Answer | Promise<Answer> {
  return ({ request, site, caller, isSecure }) => {
    const headers = createJsonHeaders(isSecure);
    if (site.exempt.has(caller.address)) return answer({ request, site, caller, isSecure, headers });
    const verdict = apiLimiter.consume(networkOf(caller.address, CALLER_PARTS));
    // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
    headers.RateLimit = `"api";r=${verdict.remaining};t=${verdict.resetSeconds}`;
    if (verdict.isAllowed) return answer({ request, site, caller, isSecure, headers });
    metrics.countRateLimited();
    headers['Retry-After'] = String(verdict.resetSeconds);
    throw new HttpError(429, {
      code: 'rate-limited',
      message: `At most ${verdict.limit} requests in ${apiLimiter.windowSeconds} seconds are answered.`,
      headers,
    });
  };
}
