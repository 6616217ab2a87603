import type { Logger } from 'pino';
import {
  CALLER_PATH,
  HOSTNAMES_PATH,
  LANDING_PATH,
  LINKS_PATH,
  MEASUREMENTS_PATH,
  REDIRECT_PATH,
  TYPE_REDIRECT_PATH,
} from '../../contract/paths.ts';
import { answerError } from '../http/answer-error.ts';
import type { Answer, App } from '../http/exchange.ts';
import { type RateLimitDeps, limitRate } from './limit-rate.ts';
import { refuseMethod, refuseUnknownPath } from '../http/refusals.ts';
import { type Handler, type Route, type Routes, routeRequests } from '../http/route-requests.ts';
import { type Visit, readVisit } from './visit.ts';
import { answerCaller } from './answer-caller.ts';
import { type Files, answerAsset, answerImage } from './answer-file.ts';
import { type HostnamesDeps, answerHostnames } from './answer-hostnames.ts';
import { answerLinks, answerTargetFile } from './answer-json-file.ts';
import { type MeasurementsDeps, answerMeasurements } from './answer-measurements.ts';
import { answerPage } from './answer-page.ts';
import { answerTypeRedirect } from './answer-type-redirect.ts';
import { SITE_IMAGE_PREFIX } from '../site/prepare-images.ts';
import type { PublishedSite } from '../site/publish-site.ts';

export type AppDeps = RateLimitDeps &
  HostnamesDeps &
  MeasurementsDeps & {
    readonly site: () => PublishedSite;
    /** The files of the web build. */
    readonly assets: Files;
    readonly log: Logger;
  };

/** The portal: every route of the product. It never listens and never fails; a request goes in, an answer comes out. */
export function createApp(deps: AppDeps): App {
  const { site, assets, log } = deps;
  const route = routeRequests(
    createRoutes(deps),
    (visit) => answerAsset(visit, assets) ?? answerNotFound(visit),
  );

  return (request) => {
    const visit = readVisit(request, site());
    const recover = (error: unknown) => answerError(error, { isSecure: visit.isSecure, log });
    try {
      const answer = route(visit);
      return answer instanceof Promise ? answer.catch(recover) : answer;
    } catch (error) {
      return recover(error);
    }
  };
}

/** What is answered, but for the files of the web build and what is not found. */
export function createRoutes(deps: Omit<AppDeps, 'site' | 'assets' | 'log'>): Routes {
  return {
    [LANDING_PATH]: get((visit) => answerPage(visit, 'landing')),
    [REDIRECT_PATH]: get(answerRedirectPage),
    [`${REDIRECT_PATH}/`]: get(answerRedirectPage),
    [TYPE_REDIRECT_PATH]: get(answerTypeRedirect),
    [`${TYPE_REDIRECT_PATH}/*`]: get(answerTypeRedirect),
    [LINKS_PATH]: get(answerLinks),
    '/json/urls/*': get(answerTargetFile),
    [CALLER_PATH]: get(limitRate(deps, answerCaller(deps))),
    [HOSTNAMES_PATH]: get(limitRate(deps, answerHostnames(deps))),
    [MEASUREMENTS_PATH]: post(limitRate(deps, answerMeasurements(deps))),
    [`${SITE_IMAGE_PREFIX}*`]: get((visit) => answerImage(visit) ?? answerNotFound(visit)),
  };
}

function answerRedirectPage(visit: Visit): Answer {
  return answerPage(visit, 'redirect');
}

function get(handler: Handler): Route {
  return { method: 'GET', handler };
}

function post(handler: Handler): Route {
  return { method: 'POST', handler };
}

/** Nothing is there: a page with a way back for visitors, JSON for programs. */
function answerNotFound(visit: Visit): Answer {
  const { method, path } = visit.request;
  if (path.startsWith('/api/') || path.startsWith('/json/')) throw refuseUnknownPath();
  if (method !== 'GET' && method !== 'HEAD') throw refuseMethod('GET, HEAD');
  return answerPage(visit, 'not-found');
}
