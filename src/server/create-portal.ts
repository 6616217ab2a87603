import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createCallerTokens } from './caller/caller-tokens.ts';
import type { App } from './http/exchange.ts';
import { observeRequests } from './http/observe-requests.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { createSpentTickets } from './measurements/spent-tickets.ts';
import { createTickets } from './measurements/tickets.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Files } from './routes/answer-file.ts';
import { createSigner } from './signer.ts';
import type { PublishedSite } from './site/publish-site.ts';

export type PortalDeps = {
  readonly site: () => PublishedSite;
  readonly assets: Files;
  readonly secret: Uint8Array;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly now: () => number;
  readonly monotonicNow: () => number;
  readonly random: () => number;
};

const API_WINDOW_MS = 60_000;
const REPORT_WINDOW_MS = 300_000;

/** Puts the app together with its limits, its signatures, its log and its metrics. */
export function createPortal({
  site,
  assets,
  secret,
  metrics,
  log,
  now,
  monotonicNow,
  random,
}: PortalDeps): App {
  const signer = createSigner(secret);
  const limits = () => site().config.limits;
  const app = createApp({
    site,
    assets,
    log,
    metrics,
    random,
    tokens: createCallerTokens(signer, now),
    tickets: createTickets(signer, now),
    spentTickets: createSpentTickets(now),
    apiLimiter: createRateLimiter({ windowMs: API_WINDOW_MS, limit: () => limits().apiPerMinute, now }),
    reportLimiter: createRateLimiter({
      windowMs: REPORT_WINDOW_MS,
      limit: () => limits().reportsPerNetwork,
      now,
    }),
  });
  return observeRequests(app, { log, metrics, monotonicNow });
}
