import type { Handler, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { EVENTS_MAX_BYTES } from '../../contract/limits.ts';
import {
  type PageView,
  type VisitEvents,
  pageViewSchema,
  visitEventsSchema,
} from '../../contract/visit-events.ts';
import { namePrefix } from '../caller/parse-address.ts';
import { answerTaken } from '../http/answer.ts';
import { HttpError, refuseRegion, refuseUnknownPath } from '../http/errors.ts';
import { limitBody } from '../http/limit-body.ts';
import type { RateLimiter } from '../http/create-rate-limiter.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { LineTable } from '../site/create-line-table.ts';
import { type BatchFacts, countBatch } from '../visitors/cells.ts';
import { type SourceFacts, countSources } from '../visitors/source-cells.ts';
import type { VisitKeeper } from '../visitors/keep-visits.ts';
import { type Visit, type VisitContext, type VisitEnv, isRestricted } from './visit.ts';

export type EventsDeps = {
  /** How many batches of one prefix count. */
  readonly eventLimiter: RateLimiter;
  readonly visits: Pick<VisitKeeper, 'count'>;
  /** What is counted by what brought the visitor. */
  readonly sourceVisits: Pick<VisitKeeper, 'count'>;
  readonly metrics: Pick<Metrics, 'countVisitBatch'>;
};

const REASONS = {
  'events-too-large': `A batch of events has at most ${EVENTS_MAX_BYTES} bytes.`,
  'events-invalid':
    'The batch is not of the form { device, language, referrer, steps, events, lines, vitals } or { page }, or it counts what a page does not have.',
} as const;

/** Refuses what must not be counted. This comes before the limits: on a site that counts nothing, the path does not exist. */
export const refuseUncounted: MiddlewareHandler<VisitEnv> = (c, next) => {
  const visit = c.get('visit');
  if (visit.site.config.analytics.counts === 'off') refuseUnknownPath();
  if (isRestricted(visit)) refuseRegion();
  return next();
};

/** Takes what visitors did on a page, and counts it. Nothing of the caller is kept but the country. */
export function answerEvents({
  eventLimiter,
  visits,
  sourceVisits,
  metrics,
}: EventsDeps): readonly [limitBody: MiddlewareHandler, answer: Handler<VisitEnv>] {
  return [
    limitBody(EVENTS_MAX_BYTES, () => refuse('events-too-large')),
    async (c) => {
      const visit = c.get('visit');
      const batch = (await readBatch(c)) ?? refuse('events-invalid');
      // A page over the limit gets the same answer, so that somebody who makes visits up learns nothing.
      const isCounted = isWithinLimit(visit);
      metrics.countVisitBatch(isCounted ? 'accepted' : 'network-limit');
      if (isCounted) {
        const facts = findFacts(visit);
        visits.count(countBatch(batch, facts));
        sourceVisits.count(countSources(batch, facts));
      }
      return answerTaken(c.get('apiHeaders'));
    },
  ];

  function refuse(code: keyof typeof REASONS): never {
    metrics.countVisitBatch(code);
    throw new HttpError(400, { code, message: REASONS[code] });
  }

  function isWithinLimit({ site, caller }: Visit): boolean {
    if (site.exempt.has(caller.address)) return true;
    return eventLimiter.consume(namePrefix(caller.address)).isAllowed;
  }
}

async function readBatch(c: VisitContext): Promise<VisitEvents | PageView | undefined> {
  try {
    const given: unknown = await c.req.json();
    const schema = 'page' in Object(given) ? pageViewSchema : visitEventsSchema;
    return v.parse(schema, given, { abortEarly: true });
  } catch {
    return undefined; // Not JSON, not a batch, or incomplete: all have the same reason.
  }
}

function findFacts({ site, caller, header }: Visit): BatchFacts & SourceFacts {
  return {
    country: site.regions.countryOf(caller, header) ?? '',
    languages: site.config.locales,
    isLine: (host) => hasHost(site.lines, host),
    isCampaign: (code) => Object.hasOwn(site.config.campaigns, code),
  };
}

function hasHost({ byId }: LineTable, host: string): boolean {
  for (const line of byId.values()) if (line.host === host) return true;
  return false;
}
