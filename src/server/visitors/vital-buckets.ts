import { VITAL_BOUNDS, type VitalName, type VitalSummary } from '../../contract/visitors.ts';

/** Each bucket holds the values up to its bound. Google's bounds are among them, so that "good" and "poor" are exact. */
const BUCKETS: Readonly<Record<VitalName, readonly number[]>> = {
  LCP: [500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 6_000, 10_000],
  INP: [50, 100, 150, 200, 300, 400, 500, 750, 1_000, 2_000],
  CLS: [0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1],
  FCP: [300, 600, 1_000, 1_400, 1_800, 2_400, 3_000, 4_500, 8_000],
  TTFB: [100, 200, 400, 600, 800, 1_200, 1_800, 3_000, 6_000],
};
/** The name of the bucket above the last bound. */
const MORE = 'more';

/** The name of the bucket in which a value is counted: its bound. */
export function nameBucket(vital: VitalName, value: number): string {
  return String(BUCKETS[vital].find((bound) => value <= bound) ?? MORE);
}

/** Reads what was counted. `countIn` gives the count of a bucket by its name. */
export function summarizeVital(vital: VitalName, countIn: (bucket: string) => number): VitalSummary {
  const { good, poor } = VITAL_BOUNDS[vital];
  const buckets = BUCKETS[vital].map((bound) => ({ bound, count: countIn(String(bound)) }));
  const more = countIn(MORE);
  const countUpTo = (limit: number): number =>
    buckets.filter(({ bound }) => bound <= limit).reduce((sum, { count }) => sum + count, 0);
  const count = countUpTo(Infinity) + more;
  return { count, p75: findP75(buckets, count), good: countUpTo(good), poor: count - countUpTo(poor) };
}

/** Inside a bucket values are taken to be spread evenly. Above the last bound, only the number of values is known. */
function findP75(
  buckets: readonly { readonly bound: number; readonly count: number }[],
  total: number,
): number | null {
  if (total === 0) return null;
  let left = total * 0.75;
  let start = 0;
  for (const { bound, count } of buckets) {
    if (count > 0 && left <= count) return start + ((bound - start) * left) / count;
    left -= count;
    start = bound;
  }
  return start;
}
