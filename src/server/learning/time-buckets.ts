/**
 * No line answers a browser faster over the open internet. A shorter time counts as this one, so a forged time gains
 * nothing.
 */
export const SHORTEST_MS = 20;
export const BUCKETS = 24;
/** Each bucket ends at this many times the end of the one before. The last one begins at 4.6 s, and has no end. */
const RATIO = 1.28;

/** The index of the bucket in which a time is counted. */
export function bucketOf(timeMs: number): number {
  const index = Math.ceil(Math.log(Math.max(SHORTEST_MS, timeMs) / SHORTEST_MS) / Math.log(RATIO));
  return Math.min(index, BUCKETS - 1);
}

/** The time, in ms, below which the given part of the counted times lies; undefined where none was counted. */
export function quantileOf(buckets: ReadonlyMap<number, number>, part: number): number | undefined {
  let total = 0;
  for (const count of buckets.values()) total += count;
  let left = total * part;
  for (let index = 0; index < BUCKETS; index += 1) {
    const count = buckets.get(index) ?? 0;
    // Inside a bucket times are taken to be spread evenly, on the logarithmic scale of the buckets.
    if (count > 0 && left <= count) return Math.round(SHORTEST_MS * RATIO ** (index - 1 + left / count));
    left -= count;
  }
  return undefined;
}
