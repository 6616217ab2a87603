import { type Context, Hono } from 'hono';
import { LANDING_PATH, SPEED_CHECK_PATH } from '../contract/paths.ts';
import type { LineIdentity } from '../contract/line/line-reply.ts';
import type { LineBehaviour } from './line-behaviour.ts';
import { misbehave } from './misbehave.ts';
import { renderLinePage } from './render-line-page.ts';
import {
  HEALTH_PATH,
  type LineContext,
  type CountSpeedCheck,
  type LineEnv,
  answerSpeedCheck,
  identityHeaders,
} from './speed-check.ts';

export type LineAppOptions = {
  readonly identity: LineIdentity;
  /** How a line behaves. Undefined for a host that is not a line of this server. */
  readonly findBehaviour: (hostname: string) => LineBehaviour | undefined;
  /** Called when a request arrives. Returns a function that counts it and what becomes of it. */
  readonly startCount: (hostname: string) => CountSpeedCheck;
};

/** Creates the app of the line hosts. Each host answers as a line, or fails as its behaviour says. */
export function createLineApp({ identity, findBehaviour, startCount }: LineAppOptions): Hono<LineEnv> {
  const app = new Hono<LineEnv>();
  app.use(async (c, next) => {
    const hostname = findHostname(c.req.header('host'));
    const behaviour = findBehaviour(hostname);
    const isSpeedCheck = c.req.path === SPEED_CHECK_PATH;
    const count = startCount(hostname);
    if (isSpeedCheck) count('count');
    if (c.req.path === LANDING_PATH) count('pages');
    if (behaviour === undefined) return answerMisdirected(c, hostname);
    c.set('hostname', hostname);
    c.set('identity', identity);
    return misbehave(c, { behaviour, next, count: isSpeedCheck ? count : () => undefined });
  });
  app.get(SPEED_CHECK_PATH, (c) => answerSpeedCheck(c));
  app.get(LANDING_PATH, answerLanding);
  app.get(HEALTH_PATH, (c) => c.json({ status: 'ok', parts: { database: true } }));
  app.notFound((c) => c.text('not found', 404, identityHeaders(c.get('identity'))));
  return app;
}

/** Reads the line's host from a `Host` header: without the port and the day's `www{digits}.` prefix. */
export function findHostname(host = ''): string {
  return host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^www\d+\./, '');
}

async function answerLanding(c: LineContext): Promise<Response> {
  const identity = c.get('identity');
  return c.html(renderLinePage(c.get('hostname'), identity.marker), 200, {
    ...identityHeaders(identity),
    'Content-Security-Policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    'X-Robots-Tag': 'noindex',
  });
}

/** The host of the request is not a line of this server. */
function answerMisdirected(c: Context, hostname: string): Response {
  return c.text(`"${hostname}" is not a line of this server`, 421, { 'X-Content-Type-Options': 'nosniff' });
}
