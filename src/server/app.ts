import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import {
  CALLER_PATH,
  HOSTNAMES_PATH,
  LANDING_PATH,
  LINKS_PATH,
  MEASUREMENTS_PATH,
  REDIRECT_PATH,
  TYPE_REDIRECT_PATH,
} from '../contract/paths.ts';
import { answerError } from './http/answer-error.ts';
import { type RateLimitDeps, limitRate } from './http/limit-rate.ts';
import { refuseMethod, refuseUnknownPath } from './http/refusals.ts';
import { type AppEnv, type Visit, readVisit } from './http/visit.ts';
import { answerCaller } from './routes/answer-caller.ts';
import { type Files, answerAsset, answerImage } from './routes/answer-file.ts';
import { type HostnamesDeps, answerHostnames } from './routes/answer-hostnames.ts';
import { answerLinks, answerTargetFile } from './routes/answer-json-file.ts';
import { type MeasurementsDeps, answerMeasurements } from './routes/answer-measurements.ts';
import { answerPage } from './routes/answer-page.ts';
import { answerTypeRedirect } from './routes/answer-type-redirect.ts';
import { SITE_IMAGE_PREFIX } from './site/prepare-images.ts';

export type AppDeps = RateLimitDeps &
  HostnamesDeps &
  MeasurementsDeps & {
    /** The files of the web build. */
    readonly assets: Files;
    readonly log: Logger;
  };

const READ = 'GET, HEAD';

/** The portal: every route of the product. It never listens; a request goes in, an answer comes out. */
export function createApp(deps: AppDeps): Hono<AppEnv> {
  const { site, assets, log } = deps;
  const app = new Hono<AppEnv>();
  const visit = (c: Context<AppEnv>): Visit => readVisit(c, site());

  app.get(LANDING_PATH, (c) => answerPage(c, visit(c), 'landing'));
  app.get(REDIRECT_PATH, (c) => answerPage(c, visit(c), 'redirect'));
  app.get(TYPE_REDIRECT_PATH, (c) => answerTypeRedirect(c, visit(c)));
  app.get(`${TYPE_REDIRECT_PATH}/*`, (c) => answerTypeRedirect(c, visit(c)));

  app.get(LINKS_PATH, (c) => answerLinks(visit(c)));
  app.get('/json/urls/:file', (c) => answerTargetFile(visit(c), c.req.param('file')));

  app.get(CALLER_PATH, limitRate(deps, answerCaller(deps)));
  app.get(HOSTNAMES_PATH, limitRate(deps, answerHostnames(deps)));
  app.post(MEASUREMENTS_PATH, limitRate(deps, answerMeasurements(deps)));

  app.get(`${SITE_IMAGE_PREFIX}*`, (c) => answerImage(visit(c), c.req.path) ?? answerNotFound(c));
  app.get('/assets/*', (c) => answerAsset(visit(c), assets, c.req.path) ?? answerNotFound(c));

  app.notFound(answerNotFound);
  app.onError((error, c) => answerError(error, { isSecure: visit(c).isSecure, log }));
  return app;

  function answerNotFound(c: Context<AppEnv>): Response {
    const { method, path } = c.req;
    const isApi = path.startsWith('/api/') || path.startsWith('/json/');
    if (path === MEASUREMENTS_PATH) throw refuseMethod('POST');
    if (method !== 'GET' && method !== 'HEAD' && (!isApi || isReadable(path))) throw refuseMethod(READ);
    if (isApi) throw refuseUnknownPath();
    const file = answerAsset(visit(c), assets, path);
    return file ?? answerPage(c, visit(c), 'not-found');
  }
}

/** Whether a path of the API is there to be read: it was asked for with another method. */
function isReadable(path: string): boolean {
  return (
    path === LINKS_PATH || path === CALLER_PATH || path === HOSTNAMES_PATH || path.startsWith('/json/urls/')
  );
}
