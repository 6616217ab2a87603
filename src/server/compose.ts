import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { DEFAULT_CONFIRM } from '../contract/site/alert-settings.ts';
import { isRoleEnough } from '../contract/roles.ts';
import { type SiteConfig, nameBrand } from '../contract/site/site-config.ts';
import { createAddressRanges } from './caller/address-ranges.ts';
import { parseAddress } from './caller/parse-address.ts';
import { openDeskWork } from './desk/work/open-desk-work.ts';
import { createObserver } from './incidents/create-observer.ts';
import { openIncidents } from './incidents/open-incidents.ts';
import { HOUR_MINUTES } from './learning/create-minute-ring.ts';
import type { AskLine } from './lines/create-line-asker.ts';
import { type SendDeps, createSend } from './messages/create-send.ts';
import { type Metrics, createMetrics } from './metrics/create-metrics.ts';
import { addProcessMetrics } from './metrics/process-metrics.ts';
import { createLineStateLog } from './operator/lines/create-line-state-log.ts';
import type { OperatorEnv } from './operator/access/operator-request.ts';
import { createOperator } from './operator/create-operator.ts';
import { findStanding } from './people/manage-people.ts';
import { openPeople } from './people/open-people.ts';
import { type OpenedPreview, openPreview } from './preview/open-preview.ts';
import { createPortal } from './portal/create-portal.ts';
import type { VisitEnv } from './portal/visit.ts';
import { createMinuteCounts } from './incidents/create-minute-counts.ts';
import { createFolderWatch } from './store/create-folder-watch.ts';
import { repeat } from './process/repeat.ts';
import { withDeadline } from './process/with-deadline.ts';
import { openRecordings } from './recordings/open-recordings.ts';
import { openLearning } from './open-learning.ts';
import { openSite } from './open-site.ts';
import type { Database } from './store/database.ts';
import { type LastGood, openLastGood } from './store/open-last-good.ts';
import { loadSecret } from './store/load-secret.ts';
import { type DatabasePlace, openDatabase, openRecordingsDatabase } from './store/open-database.ts';
import { type DataFolderLock, lockDataFolder } from './store/sqlite/lock-data-folder.ts';
import { buildFallbackAddresses } from './site/build-fallback-addresses.ts';
import { type WebBuild, loadWebBuild } from './site/load-web-build.ts';
import { keepVisits } from './visitors/keep-visits.ts';

export type ComposeOptions = {
  readonly siteDir: string;
  /** Where the server keeps its database and its snapshots. */
  readonly dataDir: string;
  readonly log: Logger;
  /** How many lines the log has dropped, for the metrics. */
  readonly droppedLogLines?: () => number;
  /** Instead of the secret in the database. */
  readonly secret?: string | undefined;
  /** Keeps versions, which can be changed from the console. */
  readonly isEditing?: boolean;
  /** Where browsers find the preview, if not on the console's own host. */
  readonly previewUrl?: string | undefined;
  /** The database that several portals share; without it the data folder has one of its own. */
  readonly database?: Omit<DatabasePlace, 'dataDir'>;
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
  readonly operator: Hono<OperatorEnv>;
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
const LOOK_AT_FOLDER_EVERY_MS = 30_000;
/** An open console shows a change after this long. */
const TELL_EVERY_MS = 1_000;

/** What is opened first, and closed if the start fails. */
type Opened = {
  /** Keeps other portals off the data folder. Undefined where the database is elsewhere. */
  readonly lock: DataFolderLock | undefined;
  readonly database: Database;
  /** What the rooms start with, should the database be away. */
  readonly lastGood: LastGood;
};

/** Puts a server together. Only here the parts of a server are connected with each other. Nothing listens yet. */
export async function composeServer(options: ComposeOptions): Promise<ComposedServer> {
  const { dataDir, log } = options;
  const lock = options.database?.url ? undefined : await lockDataFolder(dataDir);
  let database: Database | undefined;
  try {
    database = await openDatabase({ ...options.database, dataDir, log });
    const lastGood = openLastGood({ dataDir, database, log });
    return await compose(options, { lock, database, lastGood });
  } catch (error) {
    await database?.close();
    lock?.release();
    throw error;
  }
}

async function compose(options: ComposeOptions, opened: Opened): Promise<ComposedServer> {
  const { lock, database, lastGood } = opened;
  const { siteDir, dataDir, log } = options;
  const effects = { now: Date.now, random: Math.random };
  const { now } = effects;
  const startedAt = now();
  const web = options.web ?? (await loadWebBuild(fileURLToPath(new URL('../web', import.meta.url))));
  const metrics = createMetrics();
  addProcessMetrics(metrics.registry, options.droppedLogLines);
  const rendering = {
    renderPage: web.renderPage,
    buildFallbackAddresses: (lines: SiteConfig['lines']) => buildFallbackAddresses(lines, effects),
    now,
  };

  const trustedProxies = options.trustedProxies ?? [];
  const deskWork = openDeskWork({ log });
  const openedSite = await openSite({
    siteDir,
    isEditing: options.isEditing ?? false,
    work: deskWork.work,
    database,
    lastGood,
    rendering: { ...rendering, trustedProxies },
    metrics,
    log,
    now,
  });
  const { keeper, desk } = openedSite;
  const site = keeper.current;
  const siteName = (): string => nameBrand(site().config);
  const confirmation = () => site().config.alerts?.confirm ?? DEFAULT_CONFIRM;

  const secret = await loadSecret({ database, lastGood, given: options.secret, log });
  const visits = keepVisits({ database, log, now });
  const recordingsDatabase = openRecordingsDatabase({ ...options.database, dataDir, log }, database);
  const recordings = openRecordings({ dataDir, database: recordingsDatabase, site, metrics, log, now });
  const observer = createObserver(now);
  const learning = await openLearning({
    ...effects,
    site,
    database,
    lastGood,
    self: { name: `${hostname()}:${process.pid}`, startedAt },
    askLine: options.askLine,
    probeEveryMs: options.probeEveryMs,
    confirmation,
    onFold: observer.addWindow,
    metrics,
    log,
  });
  const { steering, measurements, replicas, lineWatch } = learning;

  const people = await openPeople({ database, lastGood, siteName, log, now });
  const preview =
    desk &&
    openPreview({
      ...effects,
      desk,
      findEpoch: (name) => {
        const standing = findStanding(people.store.read(), name, now());
        return standing && isRoleEnough(standing.role, 'editor') ? standing.epoch : undefined;
      },
      publicUrl: options.previewUrl,
      assets: web.assets,
      secret,
      log,
      monotonicNow: () => performance.now(),
      publishDeps: rendering,
    });
  const lastHour = createMinuteCounts<'limited'>(HOUR_MINUTES);
  const portal = createPortal({
    site,
    assets: web.assets,
    secret,
    steering,
    measurements,
    visits,
    recordings: recordings.keeper,
    metrics: { ...metrics, countRateLimited, countReport, countRegion },
    log,
    now,
    monotonicNow: () => performance.now(),
  });

  const watched = { site, siteRecord: keeper.record, measurements, lineWatch, replicas, database };
  const folder = createFolderWatch({ dir: dataDir, onLook: metrics.setDataFolderUp, log, now });
  const incidents = openIncidents({
    ...watched,
    secret,
    dataFolder: folder.state,
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
    readLimited: () => lastHour.sum('limited', now()),
    incidents,
    startedAt,
    now,
  };
  const logLineStates = createLineStateLog(sources, log);
  let isReady = true;
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

  const stops: (() => void)[] = [];
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
        openedSite.start(),
        people.start(),
        incidents.start(),
        visits.start(),
        recordings.start(),
        learning.start(),
        repeat(folder.look, () => LOOK_AT_FOLDER_EVERY_MS, {
          name: 'data folder: look',
          log,
          firstPauseMs: 0,
        }),
        repeat(tellOperator, () => TELL_EVERY_MS, { name: 'console: tell', log }),
      );
    },
    retire: () => {
      isReady = false;
      operator.close();
    },
    close: async (limitMs) => {
      for (const stop of stops) stop();
      deskWork.close();
      const saving = Promise.all([
        learning.close(),
        people.audit.flush(),
        incidents.close(),
        visits.close(),
        recordings.keeper.flush(),
      ]);
      const message = `what was learned was not saved within ${limitMs} ms`;
      await withDeadline(saving, limitMs, message).catch((error: unknown) =>
        log.error({ err: error }, 'closing without a last snapshot'),
      );
      await recordingsDatabase.close();
      await database.close();
      lock?.release();
    },
  };

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
    lastHour.add('limited', now());
  }
}
