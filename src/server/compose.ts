import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { isRoleEnough } from '../contract/roles.ts';
import type { SiteConfig } from '../contract/site/site-config.ts';
import { createAddressRanges } from './caller/address-ranges.ts';
import { parseAddress } from './caller/parse-address.ts';
import type { ComposeOptions } from './compose-options.ts';
import { type Metrics, createMetrics } from './metrics/create-metrics.ts';
import { addProcessMetrics } from './metrics/process-metrics.ts';
import { type OpenedServices, type ServerContext, openServices } from './open-services.ts';
import { type OpenedSite, openSite } from './open-site.ts';
import { type OpenedStore, openStore } from './open-store.ts';
import type { OperatorEnv } from './operator/access/operator-request.ts';
import { type Operator, createOperator } from './operator/create-operator.ts';
import { createLineStateLog } from './operator/lines/create-line-state-log.ts';
import { createLineStateRecall } from './operator/moments/recall-line-states.ts';
import { LOOK_EVERY_MS } from './operator/moments/take-moments.ts';
import { findStanding } from './people/manage-people.ts';
import { createPortal } from './portal/create-portal.ts';
import type { VisitEnv } from './portal/visit.ts';
import { type OpenedPreview, openPreview } from './preview/open-preview.ts';
import { createStepWatch } from './process/create-step-watch.ts';
import { repeat, stopAll } from './process/repeat.ts';
import { type Service, runServices } from './process/run-services.ts';
import { withDeadline } from './process/with-deadline.ts';
import { buildFallbackAddresses } from './site/build-fallback-addresses.ts';
import { type WebBuild, loadWebBuild } from './site/load-web-build.ts';
import type { PublishDeps, PublishedSite } from './site/publish-site.ts';

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
  /** Ends all that runs, and saves what was learned, within this time and half a second. It never rejects. */
  readonly close: (limitMs: number) => Promise<void>;
};

/** The rooms of a server, opened. */
type Rooms = {
  readonly web: WebBuild;
  readonly openedSite: OpenedSite;
  readonly services: OpenedServices;
};

/** An open console shows a change after this long. */
const TELL_EVERY_MS = 1_000;
/** The database has this long to close, also if the services have used up all of the time. */
const MIN_STORE_LIMIT_MS = 500;

/** Puts a server together. Only here the rooms of a server are connected with each other. Nothing listens yet. */
export async function composeServer(options: ComposeOptions): Promise<ComposedServer> {
  const store = await openStore(options);
  try {
    return await compose(options, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function compose(options: ComposeOptions, { close, ...store }: OpenedStore): Promise<ComposedServer> {
  const { log } = options;
  const effects = { now: Date.now, random: Math.random };
  const metrics = createMetrics();
  addProcessMetrics(metrics.registry, options.droppedLogLines);
  const web = options.web ?? (await loadWebBuild(fileURLToPath(new URL('../web', import.meta.url))));
  const rendering = {
    renderPage: web.renderPage,
    buildFallbackAddresses: (lines: SiteConfig['lines']) => buildFallbackAddresses(lines, effects),
    now: effects.now,
  };
  const openedSite = await openSite({
    ...store,
    siteDir: options.siteDir,
    isEditing: options.isEditing ?? false,
    deskWork: options.deskWork,
    rendering: { ...rendering, trustedProxies: options.trustedProxies ?? [] },
    metrics,
    log,
    now: effects.now,
  });
  const steps = createStepWatch({ metrics, log });
  const context: ServerContext = {
    ...effects,
    ...store,
    site: openedSite.keeper.current,
    metrics,
    steps,
    log,
  };
  const services = await openServices(options, context, openedSite);
  const rooms: Rooms = { web, openedSite, services };
  const preview = connectPreview(options, context, { ...rooms, rendering });
  let isReady = true;
  const operator = connectOperator(options, context, { ...rooms, preview, isReady: () => isReady });
  const running = runServices([...services.all, tellConsoles(operator, services, log)], log);
  return {
    portal: connectPortal(context, rooms),
    operator: operator.app,
    preview,
    metrics,
    isShared: (peer) => isSharedAddress(peer, context.site()),
    start: running.start,
    retire: () => {
      isReady = false;
      operator.close();
    },
    close: async (limitMs) => {
      const closingAt = performance.now();
      await running.close(limitMs);
      const leftMs = Math.max(MIN_STORE_LIMIT_MS, limitMs - (performance.now() - closingAt));
      await withDeadline(close(), leftMs, `it took longer than ${Math.round(leftMs)} ms`).catch(
        (error: unknown) => log.error({ err: error }, 'the database was not closed'),
      );
    },
  };
}

function connectPortal(context: ServerContext, { web, services }: Rooms): Hono<VisitEnv> {
  return createPortal({
    ...context,
    ...services.learning,
    ...services,
    assets: web.assets,
    recordings: services.recordings.keeper,
    metrics: { ...context.metrics, ...services.counters },
    monotonicNow: () => performance.now(),
  });
}

/** Undefined where editing is off. */
function connectPreview(
  options: ComposeOptions,
  context: ServerContext,
  { web, openedSite, services, rendering }: Rooms & { readonly rendering: PublishDeps },
): OpenedPreview | undefined {
  const { desk } = openedSite;
  return (
    desk &&
    openPreview({
      ...context,
      desk,
      findEpoch: (name) => {
        const standing = findStanding(services.people.store.read(), name, context.now());
        return standing && isRoleEnough(standing.role, 'editor') ? standing.epoch : undefined;
      },
      publicUrl: options.previewUrl,
      assets: web.assets,
      secret: services.secret,
      monotonicNow: () => performance.now(),
      publishDeps: rendering,
    })
  );
}

type OperatorRooms = Rooms & {
  readonly preview: OpenedPreview | undefined;
  /** False while the server is closing. */
  readonly isReady: () => boolean;
};

function connectOperator(options: ComposeOptions, context: ServerContext, rooms: OperatorRooms): Operator {
  const { web, openedSite, services, preview, isReady } = rooms;
  const { siteDir, checkLine, operatorProxy } = options;
  return createOperator({
    ...services.consoleSources,
    site: context.site,
    incidents: services.incidents,
    moments: services.moments,
    visits: services.visits,
    sourceVisits: services.sourceVisits,
    uptime: services.uptime,
    recordings: services.recordings,
    people: services.people,
    desk: openedSite.desk,
    preview: preview?.access,
    check: { siteDir, askLine: checkLine, now: context.now },
    token: options.opsToken || undefined,
    // The console can change the site.
    mustSignIn: options.mustSignIn ?? options.isEditing ?? false,
    proxy: operatorProxy && {
      header: operatorProxy.header,
      ranges: createAddressRanges(operatorProxy.ranges),
    },
    build: web.console,
    registry: context.metrics.registry,
    isReady,
    log: context.log,
  });
}

/** Tells the log and open consoles what has changed, and keeps what consoles show. */
function tellConsoles(
  operator: Operator,
  { consoleSources, lineStates, moments }: OpenedServices,
  log: Logger,
): Service {
  const logLineStates = createLineStateLog({ sources: consoleSources, states: lineStates, log });
  const tell = async (): Promise<void> => {
    consoleSources.steps.run('line states', logLineStates);
    operator.tellConsoles();
  };
  const recall = createLineStateRecall({ moments, states: lineStates, now: consoleSources.now });
  return {
    start: () =>
      stopAll(
        repeat(tell, () => TELL_EVERY_MS, { name: 'console: tell', log }),
        repeat(recall, () => LOOK_EVERY_MS, { name: 'console: recall the states of lines', log }),
        repeat(operator.takeMoment, () => LOOK_EVERY_MS, { name: 'console: keep a moment', log }),
      ),
  };
}

/** True for an address that many visitors share: a proxy's, or one that the operator exempts. */
function isSharedAddress(peer: string, { callerRules, exempt }: PublishedSite): boolean {
  const address = parseAddress(peer);
  return address !== undefined && (callerRules.proxies.has(address) || exempt.has(address));
}
