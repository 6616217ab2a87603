import { type ReadonlyCounts, TOTALS, TOTAL_FIELDS } from './counts.ts';
import { indexOfBucket, quantileOf } from './time-buckets.ts';

/** What was counted of a line in one minute. */
export type HistoryStep = {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly handedOut: number;
  readonly tried: number;
  readonly reached: number;
  /** Of the visitors who reached it, in ms; undefined where nobody did. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
};

/** The last 24 hours of every line, minute by minute; `ALL_LINES` is the site as a whole. */
export type History = {
  readonly addWindow: (counts: ReadonlyCounts, at: number) => void;
  /** The minutes of a line in which something was counted, oldest first. */
  readonly read: (lineId: string, now: number) => readonly HistoryStep[];
  /** The rings of all lines, for a snapshot. */
  readonly rings: () => ReadonlyMap<string, Uint32Array>;
  readonly restore: (rings: ReadonlyMap<string, Uint32Array>) => void;
};

const MINUTE_MS = 60_000;
const MINUTES = 24 * 60;
/** In the order of `HistoryStep`. No time counts as 0. */
const NUMBERS_PER_STEP = 6;
export const RING_LENGTH = MINUTES * NUMBERS_PER_STEP;
/** Lines come and go with the site folder: beyond this many, some 14 MB, the longest unseen is forgotten. */
const MAX_LINES = 400;

/** Keeps a ring of minutes for each line, one number after the other: a day of 200 lines takes 7 MB. */
export function createHistory(): History {
  let rings = new Map<string, Uint32Array>();
  // The times of the minute that is under way, from which its quantiles are taken.
  let times = new Map<string, Map<number, number>>();
  let timesMinute = 0;

  return {
    addWindow: (counts, at) => {
      // A window that ends with a minute belongs to it.
      const minute = Math.floor((at - 1) / MINUTE_MS);
      if (minute !== timesMinute) times = new Map();
      timesMinute = minute;
      for (const [field, amount] of counts.get(TOTALS) ?? []) addField(minute, field, amount);
      for (const [lineId, buckets] of times) {
        const { ring, start } = findStep(lineId, minute);
        ring[start + 4] = quantileOf(buckets, 0.5) ?? 0;
        ring[start + 5] = quantileOf(buckets, 0.95) ?? 0;
      }
    },
    read: (lineId, now) => {
      const ring = rings.get(lineId);
      if (ring === undefined) return [];
      const last = Math.floor(now / MINUTE_MS);
      const minutes = Array.from({ length: MINUTES }, (_, index) => last - MINUTES + 1 + index);
      return minutes.flatMap((minute) => readStep(ring, minute) ?? []);
    },
    rings: () => rings,
    restore: (given) => {
      rings = new Map(given);
    },
  };

  function addField(minute: number, field: string, amount: number): void {
    const kind = field.charAt(0);
    const lineId = field.slice(1);
    const { ring, start } = findStep(lineId, minute);
    if (kind === TOTAL_FIELDS.handedOut) ring[start + 1] = (ring[start + 1] ?? 0) + amount;
    else if (kind === TOTAL_FIELDS.tried) ring[start + 2] = (ring[start + 2] ?? 0) + amount;
    else if (kind === TOTAL_FIELDS.reached) ring[start + 3] = (ring[start + 3] ?? 0) + amount;
    const bucket = indexOfBucket(kind);
    if (bucket === undefined) return;
    const buckets = times.get(lineId) ?? new Map<number, number>();
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + amount);
    times.set(lineId, buckets);
  }

  /** The place of a minute in the ring of a line, cleared of the same minute of yesterday. */
  function findStep(lineId: string, minute: number): { readonly ring: Uint32Array; readonly start: number } {
    const ring = rings.get(lineId) ?? addRing(lineId);
    const start = startOf(minute);
    if (ring[start] !== minute) {
      ring.fill(0, start, start + NUMBERS_PER_STEP);
      ring[start] = minute;
    }
    return { ring, start };
  }

  function addRing(lineId: string): Uint32Array {
    const [oldest] = rings.keys();
    if (rings.size >= MAX_LINES && oldest !== undefined) rings.delete(oldest);
    const ring = new Uint32Array(RING_LENGTH);
    rings.set(lineId, ring);
    return ring;
  }
}

function startOf(minute: number): number {
  return (minute % MINUTES) * NUMBERS_PER_STEP;
}

function readStep(ring: Uint32Array, minute: number): HistoryStep | undefined {
  const start = startOf(minute);
  const [stored, handedOut = 0, tried = 0, reached = 0, p50, p95] = ring.subarray(
    start,
    start + NUMBERS_PER_STEP,
  );
  if (stored !== minute) return undefined;
  return { minute, handedOut, tried, reached, p50: p50 || undefined, p95: p95 || undefined };
}
