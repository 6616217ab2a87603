import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MeasurementReport } from '../../contract/measurement-report.ts';
import { type SteeringMetrics, createSteeringMetrics } from './steering-metrics.ts';

export type Outcome = MeasurementReport['results'][number]['outcome'];

/** What the server counts. The names of the metrics are the operator's interface: they do not change lightly. */
export type Metrics = SteeringMetrics & {
  readonly registry: Registry;
  readonly countRequest: (route: string, status: number, seconds: number) => void;
  readonly countHandedOut: (host: string) => void;
  readonly countRateLimited: () => void;
  readonly setSiteVersion: (version: number) => void;
  readonly countSiteRefusal: () => void;
  readonly countReport: (verdict: string) => void;
  readonly countResult: (host: string, outcome: Outcome) => void;
};

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Makes the metrics of one server, in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = createTally(registry, {
    name: 'waypost_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
  });
  const latency = new Histogram({
    name: 'waypost_request_seconds',
    help: 'Time from a request to its answer, by route.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  });
  const handedOut = createTally(registry, {
    name: 'waypost_hostnames_handed_out_total',
    help: 'How often each line was handed out.',
    labelNames: ['line'],
  });
  const rateLimited = new Counter({
    name: 'waypost_rate_limited_total',
    help: 'API requests refused because their caller sent too many.',
    registers,
  });
  const siteVersion = new Gauge({
    name: 'waypost_site_version',
    help: 'The version of the site folder that is served: 1 at the start, one more for each change.',
    registers,
  });
  const siteRefusals = new Counter({
    name: 'waypost_site_refusals_total',
    help: 'Changes of the site folder that were refused.',
    registers,
  });
  const reports = new Counter({
    name: 'waypost_measurements_total',
    help: 'Measurement reports, by verdict: accepted, or why not.',
    labelNames: ['verdict'],
    registers,
  });
  const results = new Counter({
    name: 'waypost_line_results_total',
    help: 'What visitors measured of each line, by outcome.',
    labelNames: ['line', 'outcome'],
    registers,
  });
  const latencies = new Map<string, Histogram.Internal<'route'>>();
  const latencyOf = (route: string): Histogram.Internal<'route'> => {
    const known = latencies.get(route) ?? latency.labels(route);
    latencies.set(route, known);
    return known;
  };
  return {
    ...createSteeringMetrics(registry),
    registry,
    countRequest: (route, status, seconds) => {
      requests(`${route} ${status}`);
      latencyOf(route).observe(seconds);
    },
    countHandedOut: handedOut,
    countRateLimited: () => rateLimited.inc(),
    setSiteVersion: (version) => siteVersion.set(version),
    countSiteRefusal: () => siteRefusals.inc(),
    countReport: (verdict) => reports.labels(verdict).inc(),
    countResult: (host, outcome) => results.labels(host, outcome).inc(),
  };
}

/**
 * A counter for hot paths: it adds up in a plain map, by its labels with a space between, and fills the metric in when it
 * is read. The library's own counter takes longer to find its labels than a line takes to be drawn.
 */
function createTally(
  registry: Registry,
  options: { readonly name: string; readonly help: string; readonly labelNames: string[] },
): (labels: string) => void {
  const counts = new Map<string, number>();
  registry.registerMetric(
    new Counter({
      ...options,
      registers: [],
      collect() {
        this.reset();
        for (const [labels, count] of counts) this.labels(...labels.split(' ')).inc(count);
      },
    }),
  );
  return (labels) => {
    counts.set(labels, (counts.get(labels) ?? 0) + 1);
  };
}
