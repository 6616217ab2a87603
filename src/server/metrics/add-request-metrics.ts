import { Counter, type Histogram, type Registry } from 'prom-client';

const LATENCY = { name: 'waypost_request_seconds', help: 'Time from a request to its answer, by route.' };
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The requests of one route. */
type RouteTally = {
  readonly byStatus: Map<number, number>;
  /** How many fell into each bucket and into none before it; those beyond the last one come last. */
  readonly byBucket: number[];
  seconds: number;
};

/**
 * Adds the count of requests and the histogram of their times, and returns the way to count one. They add up in place and
 * are written out when somebody reads them, see `add-tallied-counter.ts`.
 */
export function addRequestMetrics(
  registry: Registry,
): (route: string, status: number, seconds: number) => void {
  const tallies = new Map<string, RouteTally>();
  const requests = new Counter({
    name: 'waypost_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [],
    collect() {
      this.reset();
      for (const [route, { byStatus }] of tallies) {
        for (const [status, count] of byStatus) this.labels(route, String(status)).inc(count);
      }
    },
  });
  const latency = {
    name: LATENCY.name,
    get: async () => ({
      ...LATENCY,
      type: 'histogram',
      values: [...tallies].flatMap(([route, tally]) => listSeries(route, tally)),
    }),
  };
  registry.registerMetric(requests);
  // The library's own histogram can only be filled value by value. To be read, a metric needs no more than this.
  registry.registerMetric(latency as unknown as Histogram);
  return (route, status, seconds) => {
    let tally = tallies.get(route);
    if (tally === undefined) tallies.set(route, (tally = createRouteTally()));
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
    const bucket = findBucket(seconds);
    tally.byBucket[bucket] = (tally.byBucket[bucket] ?? 0) + 1;
    tally.seconds += seconds;
  };
}

function createRouteTally(): RouteTally {
  return { byStatus: new Map(), byBucket: Array.from({ length: BUCKETS.length + 1 }, () => 0), seconds: 0 };
}

/** Nearly every request is in one of the first. */
function findBucket(seconds: number): number {
  let bucket = 0;
  while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1;
  return bucket;
}

/** A histogram's series count what took at most so long, and end with the sum and the count of all. */
function listSeries(route: string, { byBucket, seconds }: RouteTally): readonly object[] {
  let count = 0;
  const buckets = [...BUCKETS, '+Inf'].map((le, bucket) => {
    count += byBucket[bucket] ?? 0;
    return { metricName: `${LATENCY.name}_bucket`, labels: { le, route }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${LATENCY.name}_sum`, labels: { route }, value: seconds },
    { metricName: `${LATENCY.name}_count`, labels: { route }, value: count },
  ];
}
