import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { parseAddress } from './caller/parse-address.ts';
import { createLineStateLog } from './operator/console/log-line-states.ts';
import { countLastHour } from './process/count-last-hour.ts';
import { createPortal } from './portal/create-portal.ts';
import { type ListenBounds, ListenError, type Listener, listen } from './http/listen.ts';
import { type WebBuild, loadWebBuild } from './site/load-web-build.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addProcessMetrics } from './metrics/process-metrics.ts';
import { createOperator } from './operator/create-operator.ts';
import { repeat } from './process/repeat.ts';
import { buildFallbackAddresses } from './site/build-fallback-addresses.ts';
import { keepSite } from './site/keep-site.ts';
import { startLearning } from './start-learning.ts';
import type { LineWatchDeps } from './lines/watch-lines.ts';

export type ServerOptions = {
  readonly siteDir: string;
  /** Where the server keeps its secret and its snapshots. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly opsHost: string;
  readonly opsPort: number;
  readonly log?: Logger;
  /** How many lines the log has dropped, for the metrics. */
  readonly droppedLogLines?: () => number;
  /** Instead of the data folder's own secret. */
  readonly secret?: string | undefined;
  /** Where replicas share what they know; without it this server keeps to itself. */
  readonly redisUrl?: string | undefined;
  /** Sends a line the speed check; without it the server does not look at the lines itself. */
  readonly askLine?: LineWatchDeps['askLine'];
  /** Demanded by the operator's listener; it must be given where that is not bound to loopback. */
  readonly opsToken?: string | undefined;
  /** Instead of the build that lies beside this module. */
  readonly web?: WebBuild;
  readonly bounds?: Partial<ListenBounds>;
  /** Proxies that are believed besides those that the site folder names. */
  readonly trustedProxies?: readonly string[];
};

export type RunningServer = {
  readonly url: string;
  readonly opsUrl: string;
  /** Stops accepting, finishes what is open, and closes, within 10 s. */
  readonly close: () => Promise<void>;
};

/** With two looks for a change to be quiet, it is live within a second. */
const LOOK_EVERY_MS = 150;
/** Those who look at the console hear of a change this soon. */
const TELL_EVERY_MS = 1_000;
/** With the portal's own limit this is well within the 10 s that process managers wait. */
const OPS_CLOSING_LIMIT_MS = 500;
/** All of it: the portal's own limit, the operator's, and what is left for saving what was learned. */
const CLOSING_LIMIT_MS = 9_000;
/** A portal that cannot listen has learned nothing that is worth a wait. */
const FAILED_START_LIMIT_MS = 1_000;
const DAY_MS = 86_400_000;
/** Of a token that strangers may guess at. */
const MIN_TOKEN_CHARS = 16;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Starts the portal, and the operator's listener beside it. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, opsHost, opsPort, opsToken, bounds = {}, log = pino() } = options;
  if (!LOOPBACK.test(opsHost) && (opsToken ?? '').length < MIN_TOKEN_CHARS) {
    throw new ListenError(
      `the operator's listener may leave loopback (for ${opsHost}) only with WAYPOST_OPS_TOKEN set to at least ${MIN_TOKEN_CHARS} characters: make one with "openssl rand -hex 32"`,
    );
  }
  const web = options.web ?? (await loadWebBuild(fileURLToPath(new URL('../web', import.meta.url))));
  const metrics = createMetrics();
  addProcessMetrics(metrics.registry, options.droppedLogLines);
  const keeper = await keepSite({
    dir: options.siteDir,
    log,
    renderPage: web.renderPage,
    buildFallbackAddresses: (lines) => buildFallbackAddresses(lines, { random: Math.random, now: Date.now }),
    onPublish: metrics.setSite,
    onRefuse: metrics.countSiteRefusal,
    onLookupFault: metrics.countLookupFault,
    now: Date.now,
    trustedProxies: options.trustedProxies ?? [],
  });
  const learning = await startLearning({ ...options, site: keeper.current, metrics, log });

  let isReady = true;
  const limited = countLastHour(Date.now);
  const portal = createPortal({
    ...learning,
    site: keeper.current,
    assets: web.assets,
    metrics: { ...metrics, countRateLimited },
    log,
    now: Date.now,
    monotonicNow: () => performance.now(),
  });
  const sources = {
    ...learning,
    site: keeper.current,
    siteRecord: keeper.record,
    readLimited: limited.read,
    now: Date.now,
  };
  const logLineStates = createLineStateLog(sources, log);
  const operator = createOperator({
    ...sources,
    token: opsToken || undefined,
    build: web.console,
    registry: metrics.registry,
    isReady: () => isReady,
    log,
  });
  const { opsListener, listener } = await openListeners().catch(async (error: unknown) => {
    await learning.close(FAILED_START_LIMIT_MS);
    throw error;
  });
  const stopLooking = repeat(keeper.look, () => LOOK_EVERY_MS);
  const stopTelling = repeat(tell, () => TELL_EVERY_MS);
  const stopRendering = repeat(renderNewDay, () => DAY_MS - (Date.now() % DAY_MS));
  log.info({ url: listener.url, opsUrl: opsListener.url }, 'listening');

  return {
    url: listener.url,
    opsUrl: opsListener.url,
    close: async () => {
      const closingAt = performance.now();
      isReady = false;
      stopLooking();
      stopTelling();
      operator.close();
      stopRendering();
      await listener.close();
      // Last: until then it says that the portal is closing.
      await opsListener.close(OPS_CLOSING_LIMIT_MS);
      await learning.close(CLOSING_LIMIT_MS - (performance.now() - closingAt));
      log.info('closed');
    },
  };

  async function openListeners(): Promise<{ readonly opsListener: Listener; readonly listener: Listener }> {
    const shared = { bounds, log, isShared, onCut: metrics.countCut };
    const opsListener = await listen({ ...shared, app: operator.app, host: opsHost, port: opsPort });
    const listener = await listen({ ...shared, app: portal, host, port }).catch(async (error: unknown) => {
      await opsListener.close();
      throw error;
    });
    return { opsListener, listener };
  }

  async function tell(): Promise<void> {
    logLineStates();
    operator.tellConsoles();
  }

  function countRateLimited(): void {
    metrics.countRateLimited();
    limited.count();
  }

  /** A proxy speaks for many visitors, and so does an address that the operator exempts. */
  function isShared(peer: string): boolean {
    const address = parseAddress(peer);
    const { callerRules, exempt } = keeper.current();
    return address !== undefined && (callerRules.proxies.has(address) || exempt.has(address));
  }

  async function renderNewDay(): Promise<void> {
    await keeper
      .rerender()
      .catch((error: unknown) => log.error({ err: error }, 'pages could not be rendered anew'));
  }
}
