import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MeasurementReport } from '../../contract/api/measurement-report.ts';
import { type SteeringMetrics, createSteeringMetrics } from './create-steering-metrics.ts';

type ProbeOutcome = MeasurementReport['results'][number]['outcome'];

/** What the server counts. Operators' dashboards use the names of the metrics, so do not change them without need. */
export type Metrics = SteeringMetrics & {
  readonly registry: Registry;
  readonly countRequest: (route: string, status: number, seconds: number) => void;
  readonly countHandedOut: (host: string) => void;
  readonly countRateLimited: () => void;
  readonly countCut: (reason: string) => void;
  /** Forgets what was counted of lines that are not in this version: a site may change thousands of them. */
  readonly setSite: (site: SiteNumbers) => Promise<void>;
  readonly countSiteRefusal: () => void;
  readonly countLookupFault: () => void;
  readonly countVerdict: (verdict: string) => void;
  readonly countVisitBatch: (verdict: string) => void;
  /** Counts a page of a site with restricted regions, by whether the region of its caller is known. */
  readonly countRegion: (isKnown: boolean) => void;
  readonly setIncidents: (open: readonly { readonly kind: string; readonly severity: string }[]) => void;
  readonly setDataFolderUp: (isUp: boolean) => void;
  readonly countMessage: (channel: string, verdict: string) => void;
  readonly countResult: (host: string, outcome: ProbeOutcome) => void;
  /** Counts a visitor who lost the line that they were in, and was moved to another. */
  readonly countMoved: (host: string) => void;
  /** Counts a message to the portal's own intake, with its size as it came. */
  readonly countIntake: (verdict: string, bytes?: number) => void;
  readonly setRecordings: (state: { readonly bytes: number; readonly fault: string | null }) => void;
};

type SiteNumbers = {
  readonly version: number;
  readonly hash: string;
  /** The names of the lines and of the fallback hosts. */
  readonly hosts: readonly string[];
};

/** In seconds. */
const LATENCY_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Makes the metrics of one server, in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const {
    requests,
    latency,
    handedOut,
    rateLimited,
    cuts,
    reports,
    visitBatches,
    regions,
    results,
    moved,
    intake,
    intakeBytes,
  } = createVisitMetrics([registry]);
  const {
    siteVersion,
    siteInfo,
    siteRefusals,
    lookupFaults,
    incidents,
    dataFolder,
    messages,
    recordings,
    recordingsFault,
  } = createUpkeepMetrics([registry]);
  const steering = createSteeringMetrics(registry);
  const handedOutByHost = countInBulk(handedOut);
  return {
    ...steering,
    registry,
    countRequest: (route, status, seconds) => {
      requests.labels(route, String(status)).inc();
      latency.labels(route).observe(seconds);
    },
    countHandedOut: (host) => handedOutByHost.count(host),
    countRateLimited: () => rateLimited.inc(),
    countCut: (reason) => cuts.labels(reason).inc(),
    setSite: async ({ version, hash, hosts }) => {
      siteVersion.set(version);
      siteInfo.reset();
      siteInfo.labels(hash).set(1);
      const isListed = new Set<unknown>(hosts);
      for (const metric of [handedOut, results, moved, ...steering.byLine]) {
        const { values } = await metric.get();
        for (const { labels } of values) if (!isListed.has(labels.line)) metric.remove(labels);
      }
    },
    countSiteRefusal: () => siteRefusals.inc(),
    countLookupFault: () => lookupFaults.inc(),
    countVerdict: (verdict) => reports.labels(verdict).inc(),
    countVisitBatch: (verdict) => visitBatches.labels(verdict).inc(),
    setIncidents: (open) => {
      incidents.reset();
      for (const { kind, severity } of open) incidents.labels(kind, severity).inc();
    },
    setDataFolderUp: (isUp) => dataFolder.set(Number(isUp)),
    countMessage: (channel, verdict) => messages.labels(channel, verdict).inc(),
    countRegion: (isKnown) => regions.labels(isKnown ? 'known' : 'unknown').inc(),
    countResult: (host, outcome) => results.labels(host, outcome).inc(),
    countMoved: (host) => moved.labels(host).inc(),
    countIntake: (verdict, bytes = 0) => {
      intake.labels(verdict).inc();
      intakeBytes.inc(bytes);
    },
    setRecordings: ({ bytes, fault }) => {
      recordings.set(bytes);
      recordingsFault.set(fault === null ? 0 : 1);
    },
  };
}

/**
 * Counts by one label in a plain map, and tells the metric when somebody asks for it: prom-client checks and sorts labels at each count,
 * and four lines are counted in each hostname call.
 */
function countInBulk(counter: Counter<'line'>): { readonly count: (label: string) => void } {
  const counts = new Map<string, number>();
  const get = counter.get.bind(counter);
  counter.get = () => {
    for (const [label, count] of counts) counter.labels(label).inc(count);
    counts.clear();
    return get();
  };
  return { count: (label) => void counts.set(label, (counts.get(label) ?? 0) + 1) };
}

/** What visitors ask and send. */
function createVisitMetrics(registers: Registry[]) {
  return {
    requests: new Counter({
      name: 'waypost_requests_total',
      help: 'Requests answered, by route and status.',
      labelNames: ['route', 'status'],
      registers,
    }),
    latency: new Histogram({
      name: 'waypost_request_seconds',
      help: 'Time from a request to its answer, by route.',
      labelNames: ['route'],
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    handedOut: new Counter({
      name: 'waypost_hostnames_handed_out_total',
      help: 'How often each line was handed out.',
      labelNames: ['line'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'waypost_rate_limited_total',
      help: 'API requests refused because their caller sent too many.',
      registers,
    }),
    cuts: new Counter({
      name: 'waypost_connections_cut_total',
      help: 'Connections that were cut because clients held too much open, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    reports: new Counter({
      name: 'waypost_measurements_total',
      help: 'Measurement reports, by verdict: accepted, or why not.',
      labelNames: ['verdict'],
      registers,
    }),
    visitBatches: new Counter({
      name: 'waypost_visit_batches_total',
      help: 'Batches of what visitors did on a page, by verdict: accepted, or why not.',
      labelNames: ['verdict'],
      registers,
    }),
    regions: new Counter({
      name: 'waypost_pages_by_region_total',
      help: 'Pages that were sent on a site with restricted regions, by whether the region of the caller is known.',
      labelNames: ['region'],
      registers,
    }),
    results: new Counter({
      name: 'waypost_line_results_total',
      help: 'What visitors measured of each line, by outcome.',
      labelNames: ['line', 'outcome'],
      registers,
    }),
    moved: new Counter({
      name: 'waypost_moved_visitors_total',
      help: 'Visitors who lost the line that they were in and were moved to another, by the line that they lost.',
      labelNames: ['line'],
      registers,
    }),
    intake: new Counter({
      name: 'waypost_intake_messages_total',
      help: 'Messages to the own intake, by verdict: taken, or why not.',
      labelNames: ['verdict'],
      registers,
    }),
    intakeBytes: new Counter({
      name: 'waypost_intake_bytes_total',
      help: 'Bytes of the messages that the own intake took, as they came.',
      registers,
    }),
  };
}

/** How the site, the incidents and the stored data are. */
function createUpkeepMetrics(registers: Registry[]) {
  return {
    siteVersion: new Gauge({
      name: 'waypost_site_version',
      help: 'The version of the site folder that is served: 1 at the start, one more for each change.',
      registers,
    }),
    siteInfo: new Gauge({
      name: 'waypost_site_info',
      help: 'Always 1. Its label is the hash of the content of the site folder: replicas with the same hash serve the same.',
      labelNames: ['hash'],
      registers,
    }),
    siteRefusals: new Counter({
      name: 'waypost_site_refusals_total',
      help: 'Changes of the site folder that were refused.',
      registers,
    }),
    lookupFaults: new Counter({
      name: 'waypost_address_lookup_faults_total',
      help: 'Addresses whose country or network could not be read from an mmdb file.',
      registers,
    }),
    incidents: new Gauge({
      name: 'waypost_incidents_open',
      help: 'Incidents that are open, by kind and severity.',
      labelNames: ['kind', 'severity'],
      registers,
    }),
    dataFolder: new Gauge({
      name: 'waypost_data_folder_up',
      help: '0 while this server cannot write to its data folder.',
      registers,
    }),
    messages: new Counter({
      name: 'waypost_messages_total',
      help: 'Messages about incidents, by channel and verdict: sent, postponed (tried again), given-up.',
      labelNames: ['channel', 'verdict'],
      registers,
    }),
    recordings: new Gauge({
      name: 'waypost_recordings_bytes',
      help: 'Bytes of the recordings of all portals.',
      registers,
    }),
    recordingsFault: new Gauge({
      name: 'waypost_recordings_fault',
      help: '1 while recordings do not get into the database, else 0.',
      registers,
    }),
  };
}
