import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createCallerTokens } from '../caller/caller-tokens.ts';
import type { App } from '../http/exchange.ts';
import { type ObserverDeps, observeRequests } from '../http/observe-requests.ts';
import { type RateLimiter, createRateLimiter } from '../http/rate-limiter.ts';
import type { MeasurementKeeper } from '../learning/keep-measurements.ts';
import { createSpentTickets } from './spent-tickets.ts';
import { createTickets } from './tickets.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Files } from './answer-file.ts';
import { createSigner } from '../caller/signer.ts';
import type { Steering } from '../learning/create-steering.ts';
import type { PublishedSite } from '../site/publish-site.ts';

export type PortalDeps = {
  readonly site: () => PublishedSite;
  readonly assets: Files;
  readonly secret: Uint8Array;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly logRequest: ObserverDeps['logRequest'];
  readonly now: () => number;
  readonly monotonicNow: () => number;
  readonly steering: Steering;
  readonly measurements: MeasurementKeeper;
  /** Makes the limits of this replica those of all, where there are more. */
  readonly shareLimiter?: (name: string, limiter: RateLimiter) => RateLimiter;
};

const API_WINDOW_MS = 60_000;
const REPORT_WINDOW_MS = 300_000;
/** Of the visits of one /24 or /48 so many count as load in two minutes, on each replica. */
const VISIT_WINDOW_MS = 120_000;
const VISITS_PER_PREFIX = 10;

/** Puts the app together with its limits, its signatures, its log and its metrics. */
export function createPortal({
  site,
  assets,
  secret,
  metrics,
  log,
  logRequest,
  now,
  monotonicNow,
  steering,
  measurements,
  shareLimiter = (_name, limiter) => limiter,
}: PortalDeps): App {
  const signer = createSigner(secret);
  const limits = () => site().config.limits;
  const app = createApp({
    site,
    assets,
    log,
    metrics,
    steering,
    measurements,
    tokens: createCallerTokens(signer, now),
    tickets: createTickets(signer, now),
    spentTickets: createSpentTickets(now),
    apiLimiter: shareLimiter(
      'api',
      createRateLimiter({ windowMs: API_WINDOW_MS, limit: () => limits().apiPerMinute, now }),
    ),
    visitLimiter: createRateLimiter({ windowMs: VISIT_WINDOW_MS, limit: () => VISITS_PER_PREFIX, now }),
    reportLimiter: shareLimiter(
      'reports',
      createRateLimiter({ windowMs: REPORT_WINDOW_MS, limit: () => limits().reportsPerNetwork, now }),
    ),
  });
  return observeRequests(app, { logRequest, metrics, monotonicNow });
}
