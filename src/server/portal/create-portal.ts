import type { Hono, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import { EVENTS_MAX_BYTES, EVENT_BATCHES_PER_PREFIX, REPORT_MAX_BYTES } from '../../contract/limits.ts';
import {
  CALLER_PATH,
  CAMPAIGN_PREFIX,
  EVENTS_PATH,
  HOSTNAMES_PATH,
  INTAKE_PATH,
  LANDING_PATH,
  LINKS_PATH,
  MEASUREMENTS_PATH,
  OFFLINE_SHELL_PATHS,
  OFFLINE_WORKER_PATH,
  REDIRECT_PATH,
  TARGETS_PREFIX,
  TYPE_REDIRECT_PATH,
} from '../../contract/paths.ts';
import { type CallerTokens, createCallerTokens } from '../caller/create-caller-tokens.ts';
import { createSigner } from '../caller/create-signer.ts';
import { answerIfChanged, answerJson, answerPrepared } from '../http/answer.ts';
import { readOrigin } from '../http/read-origin.ts';
import { createApp } from '../http/create-app.ts';
import { HttpError, refuseAllButGet, refuseAllButPost, refuseUnknownPath } from '../http/errors.ts';
import { observeRequests } from '../http/observe-requests.ts';
import type { PreparedFiles } from '../http/prepare-answer.ts';
import { createRateLimiter } from '../http/create-rate-limiter.ts';
import type { Steering } from '../learning/create-steering.ts';
import type { MeasurementKeeper } from '../learning/keep-measurements.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { SITE_IMAGE_PREFIX, findImage } from '../site/prepare-images.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { SHELL_KINDS } from '../site/render-pages.ts';
import type { VisitKeeper } from '../visitors/keep-visits.ts';
import { answerCampaign } from './answer-campaign.ts';
import { answerEvents, refuseUncounted } from './answer-events.ts';
import { allowLines, answerHostnames } from './answer-hostnames.ts';
import { type IntakeDeps, answerIntake, hideIntake } from './answer-intake.ts';
import { answerMeasurements } from './answer-measurements.ts';
import { answerShell, createAnswerWorker } from './answer-offline.ts';
import { answerPage, answerTypeRedirect } from './answer-page.ts';
import { chooseLocale } from './choose-locale.ts';
import { type HandOutDeps, createHandOut } from './create-hand-out.ts';
import { createHandOutSiblings } from './create-hand-out-siblings.ts';
import { createHeldLines } from './create-held-lines.ts';
import { createHoldBody } from './create-hold-body.ts';
import { limitRate } from './limit-rate.ts';
import { createSpentTickets } from './create-spent-tickets.ts';
import { createStartAnswers } from './create-start-answers.ts';
import { createTickets } from './create-tickets.ts';
import { type VisitContext, type VisitEnv, findVisit, readHostname, refuseIfClosed } from './visit.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';

export type PortalDeps = {
  readonly site: () => PublishedSite;
  /** The files of the web build. */
  readonly assets: PreparedFiles;
  readonly secret: Uint8Array;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly now: () => number;
  readonly monotonicNow: () => number;
  readonly steering: Steering;
  readonly measurements: Pick<MeasurementKeeper, 'countReport' | 'countHandOut'>;
  readonly visits: Pick<VisitKeeper, 'count'>;
  /** What is counted by what brought the visitor. */
  readonly sourceVisits: Pick<VisitKeeper, 'count'>;
  readonly countCall: HandOutDeps['countCall'];
  readonly recordings: IntakeDeps['recordings'];
};

const API_WINDOW_MS = MINUTE_MS;
const REPORT_WINDOW_MS = 5 * MINUTE_MS;
/** How many visits of one /24 or /48 count as load in two minutes, on each replica. */
const VISIT_WINDOW_MS = 2 * MINUTE_MS;
const VISITS_PER_PREFIX = 10;
export const ASSET_PREFIX = '/assets/';

/** The portal: every route of the product. */
export function createPortal(deps: PortalDeps): Hono<VisitEnv> {
  const { site, assets, metrics, log, now } = deps;
  const signer = createSigner(deps.secret);
  const tokens = createCallerTokens(signer, now);
  const tickets = createTickets(signer, now);
  const { apiLimiter, reportLimiter, eventLimiter, intakeLimiter, visitLimiter } = createLimiters(deps);
  const holdBody = createHoldBody();
  const heldLines = createHeldLines(signer);
  const handOutLines = createHandOut({ ...deps, tickets, visitLimiter, heldLines });
  const handOutSiblings = createHandOutSiblings({ ...deps, tickets });
  const makeStartAnswers = createStartAnswers({ tokens, handOutLines, apiLimiter, now });
  const limited = limitRate({ limiter: apiLimiter, metrics });
  const countRegion = createRegionCount(metrics);

  const app = createApp<VisitEnv>(log);
  app.use(observeRequests(deps), findVisit(site));
  app
    .get(LANDING_PATH, countRegion, answerStartIfChanged, (c) => answerPage(c, 'landing', makeStartAnswers))
    .all(refuseAllButGet);
  for (const path of [REDIRECT_PATH, `${REDIRECT_PATH}/`]) {
    app
      .get(path, countRegion, answerStartIfChanged, (c) => answerPage(c, 'redirect', makeStartAnswers))
      .all(refuseAllButGet);
  }
  app
    .get(`${CAMPAIGN_PREFIX}*`, countRegion, answerCampaign({ ...deps, makeStartAnswers }))
    .all(refuseAllButGet);
  app.get(TYPE_REDIRECT_PATH, answerIfChanged, answerTypeRedirect).all(refuseAllButGet);
  app.get(`${TYPE_REDIRECT_PATH}/*`, answerIfChanged, answerTypeRedirect).all(refuseAllButGet);
  app.get(LINKS_PATH, answerIfChanged, answerLinks).all(refuseAllButGet);
  app.get(`${TARGETS_PREFIX}*`, answerIfChanged, answerTargetFile).all(refuseAllButGet);
  app.get(`${SITE_IMAGE_PREFIX}*`, answerIfChanged, answerImage).all(refuseAllButGet);
  app.get(CALLER_PATH, limited, answerCaller(tokens)).all(refuseAllButGet);
  app
    .get(HOSTNAMES_PATH, limited, allowLines, answerHostnames({ tokens, handOutLines, handOutSiblings }))
    .all(refuseAllButGet);
  app
    .post(
      MEASUREMENTS_PATH,
      limited,
      holdBody({ maxBytes: REPORT_MAX_BYTES }),
      ...answerMeasurements({
        ...deps,
        tickets,
        spentTickets: createSpentTickets(deps.monotonicNow),
        reportLimiter,
        heldLines,
      }),
    )
    .all(refuseAllButPost);
  app
    .post(
      EVENTS_PATH,
      refuseUncounted,
      refuseOtherSites,
      limited,
      holdBody({ maxBytes: EVENTS_MAX_BYTES }),
      ...answerEvents({ ...deps, eventLimiter }),
    )
    .all(refuseAllButPost);
  app.use(INTAKE_PATH, hideIntake);
  app
    .post(
      INTAKE_PATH,
      refuseOtherSites,
      limitRate({ limiter: intakeLimiter, metrics: { countRateLimited: countIntakeLimited } }),
      ...answerIntake({ ...deps, intakeLimiter, holdBody }),
    )
    .all(refuseAllButPost);
  addFileRoutes(app, assets);
  return app;

  function countIntakeLimited(): void {
    metrics.countRateLimited();
    metrics.countIntake('rate-limited');
  }
}

/** The service worker, the shells of its pages, and all other files of the web build. */
function addFileRoutes(app: Hono<VisitEnv>, assets: PreparedFiles): void {
  app.get(OFFLINE_WORKER_PATH, answerIfChanged, createAnswerWorker(assets)).all(refuseAllButGet);
  for (const kind of SHELL_KINDS) {
    app.get(OFFLINE_SHELL_PATHS[kind], answerIfChanged, (c) => answerShell(c, kind)).all(refuseAllButGet);
  }
  app.get(`${ASSET_PREFIX}*`, answerIfChanged, answerAsset).all(refuseAllButGet);
  app.get('*', answerIfChanged, answerAsset).all(refuseOther);

  function answerAsset(c: VisitContext): Response {
    const file = assets.get(c.req.path);
    return file === undefined ? answerNotFound(c) : answerPrepared(c, file);
  }
}

/** Sends the links config in the language of the page that asks for it. */
function answerLinks(c: VisitContext): Response {
  const links = c.get('visit').site.links.get(chooseLocale(c)) ?? refuseUnknownPath();
  return answerPrepared(c, links);
}

/** Creates the five limits of the portal. */
function createLimiters({ site, now }: Pick<PortalDeps, 'site' | 'now'>) {
  const limits = () => site().config.limits;
  const create = (windowMs: number, limit: () => number) => createRateLimiter({ windowMs, limit, now });
  return {
    apiLimiter: create(API_WINDOW_MS, () => limits().apiPerMinute),
    reportLimiter: create(REPORT_WINDOW_MS, () => limits().reportsPerNetwork),
    eventLimiter: create(REPORT_WINDOW_MS, () => EVENT_BATCHES_PER_PREFIX),
    intakeLimiter: create(API_WINDOW_MS, () => limits().apiPerMinute),
    visitLimiter: create(VISIT_WINDOW_MS, () => VISITS_PER_PREFIX),
  };
}

/** On a site with restricted regions, counts for how many pages the region of the caller is known. */
function createRegionCount(metrics: Pick<Metrics, 'countRegion'>): MiddlewareHandler<VisitEnv> {
  return (c, next) => {
    const { site, caller, header } = c.get('visit');
    if (site.config.compliance.restrictedRegions.length > 0) {
      metrics.countRegion(site.regions.isKnown(caller, header));
    }
    return next();
  };
}

/** A document that carries start answers is never the same twice. */
const answerStartIfChanged: MiddlewareHandler<VisitEnv> = (c, next) =>
  c.get('visit').site.config.start === 'inline' ? next() : answerIfChanged(c, next);

/**
 * A page of another site could send made-up visits from the browsers of all its visitors, each with an address of its own.
 * Browsers say whose page sends a request: https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
const refuseOtherSites: MiddlewareHandler<VisitEnv> = (c, next) => {
  const sender = c.req.header('sec-fetch-site');
  if (sender === undefined ? isOwnOrigin(c) : sender === 'same-origin') return next();
  throw new HttpError(403, {
    code: 'foreign-origin',
    message: 'This may be sent by this site’s own pages only.',
  });
};

/** Older browsers send only this: Safari before 16.4. A proxy may leave the port out of `Host`. Programs send no origin. */
function isOwnOrigin(c: VisitContext): boolean {
  const origin = c.req.header('origin');
  if (origin === undefined) return true;
  const { hostname } = readOrigin(origin) ?? {};
  return hostname !== undefined && hostname === readHostname(c.req.header('host'));
}

/** Sends the addresses of a `/t` target. */
function answerTargetFile(c: VisitContext): Response {
  const visit = c.get('visit');
  refuseIfClosed(visit);
  const addresses = visit.site.targetFiles.get(c.req.path) ?? refuseUnknownPath();
  return answerPrepared(c, addresses);
}

/** Sends an image of the site folder. */
function answerImage(c: VisitContext): Response {
  const image = findImage(c.get('visit').site.images, c.req.path);
  return image === undefined ? answerNotFound(c) : answerPrepared(c, image);
}

/** Tells callers their address, and proof of it for the hostname call. */
function answerCaller(tokens: CallerTokens): (c: VisitContext) => Response {
  return (c) => {
    const body = tokens.issue(c.get('visit').caller.address);
    // Pages of another origin may ask, because an operator may run this service on another host.
    return answerJson(body, { ...c.get('apiHeaders'), 'Access-Control-Allow-Origin': '*' });
  };
}

/** Answers 404: visitors get a page with a link back, programs get JSON. */
function answerNotFound(c: VisitContext): Response {
  if (isForPrograms(c.req.path)) refuseUnknownPath();
  return answerPage(c, 'not-found');
}

function refuseOther(c: VisitContext): never {
  if (isForPrograms(c.req.path)) refuseUnknownPath();
  refuseAllButGet();
}

function isForPrograms(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/json/');
}
