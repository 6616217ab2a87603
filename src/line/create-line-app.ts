import { type Context, Hono } from 'hono';
import { LANDING_PATH, SPEED_CHECK_PATH } from '../contract/paths.ts';
import type { LineIdentity } from '../contract/line/line-reply.ts';
import type { LineBehaviour } from './line-behaviour.ts';
import { misbehave } from './misbehave.ts';
import {
  APP_SCRIPT,
  APP_WORKER,
  FORM_HTML,
  ITEMS,
  SENT_HTML,
  renderItem,
  renderLinePage,
  renderList,
} from './render-line-page.ts';
import type { StayFiles } from './load-stay-files.ts';
import {
  HEALTH_PATH,
  type LineContext,
  type CountRequest,
  type LineEnv,
  answerSpeedCheck,
  identityHeaders,
} from './speed-check.ts';

export type LineAppOptions = {
  readonly identity: LineIdentity;
  /** How a line behaves. Undefined for a host that is not a line of this server. */
  readonly findBehaviour: (hostname: string) => LineBehaviour | undefined;
  /** Called when a request arrives. Returns a function that counts it and what becomes of it. */
  readonly startCount: (hostname: string) => CountRequest;
  /** The origin of the portal, if visitors are to stay in when a line is lost. */
  readonly findPortal: () => string | undefined;
  readonly stayFiles: StayFiles;
};

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "form-action 'self'",
].join('; ');
/** What the shipped configs of nginx and Caddy send with the two files. */
const SCRIPT_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'max-age=3600',
  'Service-Worker-Allowed': '/',
};

/** Creates the app of the line hosts. Each host answers as a line, or fails as its behaviour says. */
export function createLineApp({
  identity,
  findBehaviour,
  startCount,
  findPortal,
  stayFiles,
}: LineAppOptions): Hono<LineEnv> {
  const app = new Hono<LineEnv>();
  app.use(async (c, next) => {
    const hostname = findHostname(c.req.header('host'));
    const found = findBehaviour(hostname);
    const isSpeedCheck = c.req.path === SPEED_CHECK_PATH;
    const behaviour = isSpeedCheck && found?.isOnPagesOnly ? {} : found;
    const count = startCount(hostname);
    if (isSpeedCheck) count('probes');
    if (c.req.path === LANDING_PATH) count('pages');
    if (c.req.method === 'POST') count('posts');
    if (behaviour === undefined) return answerMisdirected(c, hostname);
    if (behaviour.closesConnections) c.env.outgoing.shouldKeepAlive = false;
    c.set('hostname', hostname);
    c.set('identity', identity);
    return misbehave(c, { behaviour, next, count: isSpeedCheck ? count : () => undefined });
  });
  app.get(SPEED_CHECK_PATH, (c) => answerSpeedCheck(c));
  app.get(LANDING_PATH, (c) => answerPage(c, renderList()));
  app.get('/item/:number', (c) => {
    const item = renderItem(c.req.param('number'));
    return item === undefined ? c.notFound() : answerPage(c, item);
  });
  app.get('/form', (c) => answerPage(c, FORM_HTML)).post((c) => answerPage(c, SENT_HTML));
  app.get('/app.js', (c) => c.body(APP_SCRIPT, 200, { 'Content-Type': SCRIPT_HEADERS['Content-Type'] }));
  app.get('/items.json', (c) => c.json(ITEMS));
  // A worker of the application itself, which imports ours as docs/stay.md says.
  app.get('/app-worker.js', (c) => c.body(APP_WORKER, 200, SCRIPT_HEADERS));
  for (const [path, script] of stayFiles) app.get(path, (c) => c.body(script, 200, SCRIPT_HEADERS));
  app.get(HEALTH_PATH, (c) => c.json({ status: 'ok', parts: { database: true } }));
  app.notFound((c) => c.text('not found', 404, identityHeaders(c.get('identity'))));
  return app;

  async function answerPage(c: LineContext, content: string): Promise<Response> {
    const shown = c.get('identity');
    const page = { hostname: c.get('hostname'), marker: shown.marker, portal: findPortal(), content };
    return c.html(renderLinePage(page), 200, {
      ...identityHeaders(shown),
      'Content-Security-Policy': PAGE_POLICY,
      'X-Robots-Tag': 'noindex',
    });
  }
}

/** Reads the line's host from a `Host` header: without the port and the day's `www{digits}.` prefix. */
export function findHostname(host = ''): string {
  return host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^www\d+\./, '');
}

/** The host of the request is not a line of this server. */
function answerMisdirected(c: Context, hostname: string): Response {
  return c.text(`"${hostname}" is not a line of this server`, 421, { 'X-Content-Type-Options': 'nosniff' });
}
