import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { DEFAULT_CONFIRM } from '../contract/site/alert-settings.ts';
import { type SiteConfig, nameBrand } from '../contract/site/site-config.ts';
import { createAddressRanges } from './caller/address-ranges.ts';
import { parseAddress } from './caller/parse-address.ts';
import type { Desk } from './desk/create-desk.ts';
import { holdDesk } from './desk/hold-desk.ts';
import { openDesk } from './desk/open-desk.ts';
import { createRequestAnswer } from './desk/requests.ts';
import { createObserver } from './incidents/create-observer.ts';
import { openIncidents } from './incidents/open-incidents.ts';
import { createSteering } from './learning/create-steering.ts';
import { keepMeasurements } from './learning/keep-measurements.ts';
import type { AskLine } from './lines/ask-line.ts';
import { createLineWatch } from './lines/watch-lines.ts';
import { type SendDeps, createSend } from './messages/create-send.ts';
import { type Metrics, createMetrics } from './metrics/metrics.ts';
import { addProcessMetrics } from './metrics/process-metrics.ts';
import { createLineStateLog } from './operator/console/log-line-states.ts';
import { createOperator } from './operator/create-operator.ts';
import { openPeople } from './people/open-people.ts';
import { type OpenedPreview, openPreview } from './preview/open-preview.ts';
import { createPortal } from './portal/create-portal.ts';
import type { VisitEnv } from './portal/visit.ts';
import { countLastHour } from './process/count-last-hour.ts';
import { repeat } from './process/repeat.ts';
import { withDeadline } from './process/with-deadline.ts';
import { prefixOf } from './redis/agree-on-name.ts';
import { type Redis, openRedis } from './redis/open-redis.ts';
import { openRecordings } from './recordings/open-recordings.ts';
import { openState } from './open-state.ts';
import { buildFallbackAddresses } from './site/build-fallback-addresses.ts';
import { keepSite } from './site/keep-site.ts';
import { createFolderSource } from './site/load-site.ts';
import { type WebBuild, loadWebBuild } from './site/load-web-build.ts';
import { keepVisits } from './visitors/keep-visits.ts';

export type ComposeOptions = {
  readonly siteDir: string;
  /** Where the server keeps its secret and its snapshots. */
  readonly dataDir: string;
  readonly log: Logger;
  /** How many lines the log has dropped, for the metrics. */
  readonly droppedLogLines?: () => number;
  /** Instead of the data folder's own secret. */
  readonly secret?: string | undefined;
  /** Keeps versions in the data folder, which can be changed from the console. */
  readonly isEditing?: boolean;
  /** Where browsers find the preview, if not on the console's own host. */
  readonly previewUrl?: string | undefined;
  /** The folder of the versions, if not in the data folder. */
  readonly deskDir?: string;
  /** Where replicas share what they know; without it this server shares nothing. */
  readonly redisUrl?: string | undefined;
  /** Of several replicas, one keeps the recordings. A server that runs alone always does. */
  readonly keepsRecordings?: boolean;
  /** Sends a line the speed check; without it the server does not probe the lines itself. */
  readonly askLine?: AskLine;
  /** Sends a line the speed check for somebody at the console, who may name any address. */
  readonly checkLine?: AskLine;
  /** The pause between two probes of all lines; 30 s by default. */
  readonly probeEveryMs?: number;
  /** Demanded by the operator's listener. */
  readonly opsToken?: string | undefined;
  /** False if whoever is on this machine may look without signing in, although editing is on. */
  readonly mustSignIn?: boolean;
  /** A proxy that signs people in: the header that names the person, and the ranges of the proxy's own addresses. */
  readonly operatorProxy?: { readonly header: string; readonly ranges: readonly string[] } | undefined;
  /** How messages about incidents leave this machine. Without it they cannot. */
  readonly messages?: MessageOptions;
  /** Instead of the build that lies next to this module. */
  readonly web?: WebBuild;
  /** Proxies to believe in addition to those that the site folder names. */
  readonly trustedProxies?: readonly string[];
};

/** `readVariable` reads secrets from the environment; `isAllowed` says which addresses may be connected to. */
export type MessageOptions = Pick<SendDeps, 'readVariable' | 'isAllowed' | 'ca'>;

/** A whole server without its listeners. */
export type ComposedServer = {
  readonly portal: Hono<VisitEnv>;
  readonly operator: Hono<VisitEnv>;
  /** Undefined where editing is off. */
  readonly preview: Pick<OpenedPreview, 'app' | 'setPort'> | undefined;
  /** True for an address that many visitors share: a proxy's, or one that the operator exempts. */
  readonly isShared: (peer: string) => boolean;
  readonly metrics: Pick<Metrics, 'countCut'>;
  /** Starts the repeated work of a server: it follows its folder, learns, probes the lines, and updates open consoles. */
  readonly start: () => void;
  /** Says that the server is closing, and ends the streams of open consoles. */
  readonly retire: () => void;
  /** Ends all that runs, and saves what was learned, within this time. */
  readonly close: (limitMs: number) => Promise<void>;
};

const NO_MESSAGES: MessageOptions = { readVariable: () => undefined, isAllowed: () => false };
const LEARN_EVERY_MS = 1_000;
const EXCHANGE_EVERY_MS = 1_000;
/** An open console shows a change after this long. */
const TELL_EVERY_MS = 1_000;

/** Puts a server together. Only here the parts of a server are connected with each other. Nothing listens yet. */
export async function composeServer(options: ComposeOptions): Promise<ComposedServer> {
  const held = options.isEditing ? await openHeldDesk(options) : undefined;
  const { redisUrl: url, log } = options;
  const redis = url ? await openRedis({ url, log }) : undefined;
  return compose(options, held, redis).catch(async (error: unknown) => {
    redis?.close();
    await held?.release();
    throw error;
  });
}

async function openHeldDesk({ deskDir, dataDir }: ComposeOptions): Promise<HeldDesk> {
  const dir = deskDir ?? join(dataDir, 'desk');
  let desk: Desk | undefined;
  const { release } = await holdDesk(
    dir,
    createRequestAnswer(() => desk),
  );
  return { dir, setDesk: (opened) => void (desk = opened), release };
}

/** The desk's folder, which no other process writes to meanwhile. */
type HeldDesk = {
  readonly dir: string;
  readonly setDesk: (desk: Desk) => void;
  readonly release: () => Promise<void>;
};

async function compose(
  options: ComposeOptions,
  held: HeldDesk | undefined,
  redis: Redis | undefined,
): Promise<ComposedServer> {
  const { log, askLine, siteDir } = options;
  const effects = { now: Date.now, random: Math.random };
  const { now } = effects;
  const startedAt = now();
  const portalName = `${hostname()}:${process.pid}`;
  const web = options.web ?? (await loadWebBuild(fileURLToPath(new URL('../web', import.meta.url))));
  const metrics = createMetrics();
  addProcessMetrics(metrics.registry, options.droppedLogLines);
  const opened = held && (await openDesk({ dir: held.dir, siteDir, redis, log, now }));
  const rendering = {
    renderPage: web.renderPage,
    buildFallbackAddresses: (lines: SiteConfig['lines']) => buildFallbackAddresses(lines, effects),
    now,
  };
  const keeper = await keepSite({
    ...rendering,
    source: opened?.source ?? createFolderSource(siteDir),
    log,
    onPublish: metrics.setSite,
    onRefuse: metrics.countSiteRefusal,
    onLookupFault: metrics.countLookupFault,
    trustedProxies: options.trustedProxies ?? [],
  });
  const site = keeper.current;
  const connected = opened?.connect(keeper);
  const desk = connected?.desk;
  if (desk) held?.setDesk(desk);

  const siteName = (): string => nameBrand(site().config);
  const shared = redis && { redis, prefix: prefixOf(opened?.name ?? siteName()) };
  const { dataDir, secret } = options;
  const state = await openState({ dataDir, secret, shared, metrics, log, now });
  const visits = keepVisits({ dataDir, shared, log, now });
  const keepsRecordings = shared === undefined || options.keepsRecordings === true;
  const recordings = openRecordings({ dataDir, keepsRecordings, site, metrics, log, now });
  const steering = createSteering(effects);
  followSite();
  const observer = createObserver(now);
  const { addWindow: onFold } = observer;
  const measurements = await keepMeasurements({
    ...effects,
    store: state.store,
    steering,
    metrics,
    log,
    onFold,
  });
  const replicas = state.joinReplicas(() => ({
    name: portalName,
    startedAt,
    siteVersion: site().version,
    siteHash: site().hash,
    isStoreUp: measurements.storeState().isUp,
    lines: lineWatch?.view() ?? null,
    keepsRecordings,
  }));
  const probing = new AbortController();
  const { signal } = probing;
  const confirmation = () => site().config.alerts?.confirm ?? DEFAULT_CONFIRM;
  const lineWatch =
    askLine && createLineWatch({ ...effects, site, askLine, signal, steering, metrics, confirmation });

  const preview =
    desk &&
    openPreview({
      ...effects,
      desk,
      publicUrl: options.previewUrl,
      assets: web.assets,
      secret: state.secret,
      log,
      monotonicNow: () => performance.now(),
      publishDeps: rendering,
    });
  const limited = countLastHour(now);
  const portal = createPortal({
    site,
    assets: web.assets,
    secret: state.secret,
    shareLimiter: state.shareLimiter,
    steering,
    measurements,
    visits,
    recordings: recordings.keeper,
    metrics: { ...metrics, countRateLimited, countReport, countRegion },
    log,
    now,
    monotonicNow: () => performance.now(),
  });
  let isReady = true;
  const watched = { site, siteRecord: keeper.record, measurements, lineWatch, replicas };
  const incidents = openIncidents({
    ...watched,
    store: state.incidents,
    observer,
    calmSeconds: () => confirmation().calmSeconds,
    send: createSend({ dataDir, now, ...(options.messages ?? NO_MESSAGES) }),
    metrics,
    log,
    now,
  });
  const sources = {
    ...watched,
    steering,
    readLimited: limited.read,
    incidents,
    startedAt,
    now,
  };
  const people = await openPeople({ dataDir, shared, siteName, log, now });
  const logLineStates = createLineStateLog(sources, log);
  const operator = createOperator({
    ...sources,
    visits,
    recordings,
    desk,
    preview: preview?.access,
    check: { siteDir, askLine: options.checkLine, now },
    token: options.opsToken || undefined,
    // The console can change the site.
    mustSignIn: options.mustSignIn ?? options.isEditing ?? false,
    proxy: options.operatorProxy && {
      header: options.operatorProxy.header,
      ranges: createAddressRanges(options.operatorProxy.ranges),
    },
    people,
    build: web.console,
    registry: metrics.registry,
    isReady: () => isReady,
    log,
  });

  const stops: (() => void)[] = [() => probing.abort()];
  return {
    portal,
    operator: operator.app,
    preview,
    metrics,
    isShared: (peer) => {
      const address = parseAddress(peer);
      const { callerRules, exempt } = site();
      return address !== undefined && (callerRules.proxies.has(address) || exempt.has(address));
    },
    start: () => {
      stops.push(
        keeper.start(),
        people.start(),
        incidents.start(),
        visits.start(),
        recordings.start(),
        repeat(learn, () => LEARN_EVERY_MS),
        repeat(state.exchangeCounts, () => EXCHANGE_EVERY_MS),
        repeat(exchangeNotes, () => EXCHANGE_EVERY_MS, 0),
        repeat(tellOperator, () => TELL_EVERY_MS),
      );
      if (connected !== undefined) stops.push(connected.start());
      if (lineWatch !== undefined) stops.push(lineWatch.start(options.probeEveryMs));
    },
    retire: () => {
      isReady = false;
      operator.close();
    },
    close: async (limitMs) => {
      for (const stop of stops) stop();
      const saving = Promise.all([
        replicas.close(),
        measurements.close(),
        people.audit.flush(),
        incidents.close(),
        visits.close(),
        recordings.keeper?.close(),
      ]);
      const message = `what was learned was not saved within ${limitMs} ms`;
      await withDeadline(saving, limitMs, message)
        .catch((error: unknown) => log.error({ err: error }, 'closing without a last snapshot'))
        .finally(state.close);
      await held?.release();
    },
  };

  /** Tells the other replicas of this one, and takes over what they see of the lines. */
  async function exchangeNotes(): Promise<void> {
    await replicas.exchangeNotes();
    const others = replicas
      .replicas()
      .filter((each) => !each.isThis && each.goneSince === undefined && each.siteHash === site().hash);
    lineWatch?.setOthers(others.flatMap(({ lines }) => lines ?? []));
  }

  async function learn(): Promise<void> {
    followSite();
    await measurements.foldWindows();
  }

  function followSite(): void {
    const { lines, config } = site();
    steering.setLines(lines.lines, config.lines.steering);
  }

  async function tellOperator(): Promise<void> {
    logLineStates();
    operator.tellConsoles();
  }

  function countReport(verdict: string): void {
    metrics.countReport(verdict);
    observer.countReport(verdict);
  }

  function countRegion(isKnown: boolean): void {
    metrics.countRegion(isKnown);
    observer.countRegion(isKnown);
  }

  function countRateLimited(): void {
    metrics.countRateLimited();
    limited.count();
  }
}
