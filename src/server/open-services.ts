import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { DEFAULT_CONFIRM } from '../contract/site/alert-settings.ts';
import { nameBrand } from '../contract/site/site-config.ts';
import type { ComposeOptions } from './compose-options.ts';
import { type MinuteCounts, createMinuteCounts } from './incidents/create-minute-counts.ts';
import { type Observer, createObserver } from './incidents/create-observer.ts';
import { type OpenedIncidents, openIncidents } from './incidents/open-incidents.ts';
import { HOUR_MINUTES } from '../contract/time-units.ts';
import { type MessageOptions, createSend } from './messages/create-send.ts';
import type { Metrics } from './metrics/create-metrics.ts';
import { type MomentKeeper, keepMoments } from './moments/keep-moments.ts';
import { type OpenedLearning, openLearning } from './open-learning.ts';
import type { OpenedSite } from './open-site.ts';
import type { OpenedStore } from './open-store.ts';
import type { ConsoleSources } from './operator/console-sources.ts';
import { type LineStates, keepLineStates } from './operator/lines/keep-line-states.ts';
import { type OpenedPeople, openPeople } from './people/open-people.ts';
import type { StepWatch } from './process/create-step-watch.ts';
import type { Service } from './process/run-services.ts';
import { type OpenedRecordings, openRecordings } from './recordings/open-recordings.ts';
import type { PublishedSite } from './site/publish-site.ts';
import { createFolderWatch } from './store/create-folder-watch.ts';
import { loadSecret } from './store/load-secret.ts';
import { createMinuteBook } from './uptime/create-minute-book.ts';
import { type OpenedUptime, openUptime } from './uptime/open-uptime.ts';
import { SOURCE_NUMBERS } from './visitors/source-cells.ts';
import { CALL_NUMBERS, type LineCall, countCall } from './visitors/call-cells.ts';
import { type VisitKeeper, keepVisits } from './visitors/keep-visits.ts';
import { watchCalls } from './visitors/watch-calls.ts';

/** What every service of a server is made with. */
export type ServerContext = Omit<OpenedStore, 'close'> & {
  readonly site: () => PublishedSite;
  readonly metrics: Metrics;
  readonly steps: StepWatch;
  readonly log: Logger;
  readonly now: () => number;
  readonly random: () => number;
};

export type OpenedServices = {
  readonly secret: Uint8Array;
  readonly visits: VisitKeeper;
  /** What is counted by what brought the visitor. */
  readonly sourceVisits: VisitKeeper;
  /** Counts a visitor who asked for lines. */
  readonly countCall: (call: Omit<LineCall, 'portal'>) => void;
  readonly recordings: OpenedRecordings;
  readonly learning: OpenedLearning;
  readonly people: OpenedPeople;
  readonly incidents: OpenedIncidents;
  /** What the console showed. The operator's listener fills it. */
  readonly moments: MomentKeeper;
  readonly uptime: OpenedUptime;
  /** The portal counts with these, for the metrics, the incidents and the console. */
  readonly counters: Pick<Metrics, 'countVerdict' | 'countRegion' | 'countRateLimited'>;
  /** How the lines were in the last day. */
  readonly lineStates: LineStates;
  readonly consoleSources: ConsoleSources;
  /** All of them, in the order in which they start. */
  readonly all: readonly Service[];
};

const NO_MESSAGES: MessageOptions = { readVariable: () => undefined, isAllowed: () => false };

/** Opens all that a server does beside answering requests. Nothing is started yet. */
export async function openServices(
  options: ComposeOptions,
  context: ServerContext,
  openedSite: OpenedSite,
): Promise<OpenedServices> {
  const { dataDir } = options;
  const { database, recordingsDatabase, site, metrics, steps, now } = context;
  const startedAt = now();
  const confirmation = () => site().config.alerts?.confirm ?? DEFAULT_CONFIRM;
  const secret = await loadSecret({ ...context, given: options.secret });
  const visits = keepVisits(context);
  const sourceVisits = keepVisits({ ...context, numbers: SOURCE_NUMBERS });
  const calls = keepVisits({ ...context, numbers: CALL_NUMBERS });
  const callWatch = watchCalls({ ...context, calls });
  const recordings = openRecordings({ ...context, dataDir, database: recordingsDatabase });
  const observer = createObserver(now);
  const minuteBook = createMinuteBook();
  const learning = await openLearning({
    ...context,
    onWindow: minuteBook.addWindow,
    self: { name: `${hostname()}:${process.pid}`, startedAt },
    askLine: options.askLine,
    probeEveryMs: options.probeEveryMs,
    confirmation,
  });
  const people = await openPeople({ ...context, siteName: () => nameBrand(site().config) });
  const folderWatch = createFolderWatch({ ...context, dir: dataDir, onLook: metrics.setDataFolderUp });
  const { measurements, lineWatch, replicas, steering } = learning;
  const { record: siteRecord } = openedSite.keeper;
  const watched = { site, siteRecord, steering, measurements, lineWatch, replicas, database };
  const incidents = openIncidents({
    ...context,
    ...watched,
    secret,
    dataFolder: folderWatch.state,
    missing: callWatch.missing,
    observer: { observe: (sources) => steps.run('incidents', () => observer.observe(sources)) },
    calmSeconds: () => confirmation().calmSeconds,
    send: createSend({ dataDir, now, ...(options.messages ?? NO_MESSAGES) }),
  });
  const lineStates = keepLineStates();
  const uptime = openUptime({ ...context, lineWatch, incidents, book: minuteBook });
  const lastHour = createMinuteCounts<'limited'>(HOUR_MINUTES);
  return {
    secret,
    visits,
    sourceVisits,
    countCall: (call) => calls.count(countCall({ ...call, portal: hostname() })),
    recordings,
    learning,
    people,
    incidents,
    moments: keepMoments(context),
    uptime,
    counters: createCounters({ metrics, observer, lastHour, now }),
    lineStates,
    consoleSources: {
      ...watched,
      lineStates,
      readLimited: () => lastHour.sum('limited', now()),
      incidents,
      steps,
      startedAt,
      now,
    },
    all: [
      openedSite,
      people,
      incidents,
      uptime,
      visits,
      sourceVisits,
      calls,
      callWatch,
      recordings,
      learning,
      folderWatch,
    ],
  };
}

type CounterDeps = Pick<ServerContext, 'metrics' | 'now'> & {
  readonly observer: Observer;
  readonly lastHour: MinuteCounts<'limited'>;
};

/** Counts for the metrics, and for the incidents or the console. */
function createCounters({ metrics, observer, lastHour, now }: CounterDeps): OpenedServices['counters'] {
  return {
    countVerdict: (verdict) => {
      metrics.countVerdict(verdict);
      observer.countVerdict(verdict);
    },
    countRegion: (isKnown) => {
      metrics.countRegion(isKnown);
      observer.countRegion(isKnown);
    },
    countRateLimited: () => {
      metrics.countRateLimited();
      lastHour.add('limited', now());
    },
  };
}
