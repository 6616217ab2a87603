import { type ReadonlyCounts, TOTALS, TOTAL_FIELDS } from './counts.ts';
import { BUCKETS, indexOfBucket, quantileOf } from './time-buckets.ts';

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
  /** The minutes of a line in which something was counted, oldest first: of the last 24 hours, or of the last so many. */
  readonly read: (lineId: string, now: number, minutes?: number) => readonly HistoryStep[];
  /** The time below which this part of the last hour's times lie, in ms; undefined where there was none. */
  readonly readHourQuantile: (lineId: string, now: number, part: number) => number | undefined;
  /** Shows the minutes of a line in which it was tried, newest first, for as long as the visitor returns true. */
  readonly walkBack: (lineId: string, now: number, visit: MinuteVisitor) => void;
  /** The rings of all lines, for a snapshot. */
  readonly rings: () => ReadonlyMap<string, Uint32Array>;
  readonly restore: (rings: ReadonlyMap<string, Uint32Array>) => void;
};

export type MinuteVisitor = (minute: number, tally: { tried: number; reached: number }) => boolean;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const HOUR_MINUTES = 60;
/** In the order of `HistoryStep`. No time counts as 0. */
const NUMBERS_PER_STEP = 6;
/** The minute, and how many times fell into each bucket: quantiles of longer than a minute are taken from their sum. */
const NUMBERS_PER_TIMES = 1 + BUCKETS;
const TIMES_START = DAY_MINUTES * NUMBERS_PER_STEP;
export const RING_LENGTH = TIMES_START + HOUR_MINUTES * NUMBERS_PER_TIMES;
/** Lines come and go with the site folder: beyond this many, some 16 MB, the longest unseen is forgotten. */
const MAX_LINES = 400;

/** Keeps a ring of minutes for each line, one number after the other: a day of 200 lines takes 8 MB. */
export function createHistory(): History {
  let rings = new Map<string, Uint32Array>();

  return {
    addWindow: (counts, at) => {
      // A window that ends with a minute belongs to it.
      const minute = Math.floor((at - 1) / MINUTE_MS);
      const timed = new Set<Uint32Array>();
      for (const [field, amount] of counts.get(TOTALS) ?? []) {
        const ring = openRing(field.slice(1));
        if (addField(ring, minute, field.charAt(0), amount) === 'time') timed.add(ring);
      }
      for (const ring of timed) noteQuantiles(ring, minute);
    },
    read: (lineId, now, minutes = DAY_MINUTES) => {
      const ring = rings.get(lineId);
      if (ring === undefined) return [];
      return listMinutes(now, minutes).flatMap((minute) => readStep(ring, minute) ?? []);
    },
    readHourQuantile: (lineId, now, part) => {
      const ring = rings.get(lineId);
      return ring && quantileOf(sumTimes(ring, listMinutes(now, HOUR_MINUTES)), part);
    },
    walkBack: (lineId, now, visit) => {
      const ring = rings.get(lineId);
      const last = Math.floor(now / MINUTE_MS);
      if (ring !== undefined) walkRing(ring, last, visit);
    },
    rings: () => rings,
    restore: (given) => {
      rings = new Map(given);
    },
  };

  /** The ring of a line, which goes to the end of the queue. */
  function openRing(lineId: string): Uint32Array {
    const ring = rings.get(lineId) ?? new Uint32Array(RING_LENGTH);
    rings.delete(lineId);
    const [oldest] = rings.keys();
    if (rings.size >= MAX_LINES && oldest !== undefined) rings.delete(oldest);
    rings.set(lineId, ring);
    return ring;
  }
}

function addField(ring: Uint32Array, minute: number, kind: string, amount: number): 'time' | 'count' {
  const bucket = indexOfBucket(kind);
  if (bucket !== undefined) {
    addTo(ring, openStep(ring, minute, TIMES) + 1 + bucket, amount);
    return 'time';
  }
  const start = openStep(ring, minute, DAY);
  if (kind === TOTAL_FIELDS.handedOut) addTo(ring, start + 1, amount);
  else if (kind === TOTAL_FIELDS.tried) addTo(ring, start + 2, amount);
  else if (kind === TOTAL_FIELDS.reached) addTo(ring, start + 3, amount);
  return 'count';
}

function noteQuantiles(ring: Uint32Array, minute: number): void {
  const start = openStep(ring, minute, DAY);
  const times = sumTimes(ring, [minute]);
  ring[start + 4] = quantileOf(times, 0.5) ?? 0;
  ring[start + 5] = quantileOf(times, 0.95) ?? 0;
}

type Section = { readonly start: number; readonly minutes: number; readonly numbers: number };

const DAY: Section = { start: 0, minutes: DAY_MINUTES, numbers: NUMBERS_PER_STEP };
const TIMES: Section = { start: TIMES_START, minutes: HOUR_MINUTES, numbers: NUMBERS_PER_TIMES };

function placeOf(minute: number, { start, minutes, numbers }: Section): number {
  return start + (minute % minutes) * numbers;
}

/** The place of a minute in a ring, cleared of the minute that was there a round ago. */
function openStep(ring: Uint32Array, minute: number, section: Section): number {
  const start = placeOf(minute, section);
  if (ring[start] !== minute) {
    ring.fill(0, start, start + section.numbers);
    ring[start] = minute;
  }
  return start;
}

function addTo(ring: Uint32Array, place: number, amount: number): void {
  ring[place] = (ring[place] ?? 0) + amount;
}

function listMinutes(now: number, minutes: number): readonly number[] {
  const last = Math.floor(now / MINUTE_MS);
  return Array.from({ length: minutes }, (_, index) => last - minutes + 1 + index);
}

function readStep(ring: Uint32Array, minute: number): HistoryStep | undefined {
  const start = placeOf(minute, DAY);
  const [stored, handedOut = 0, tried = 0, reached = 0, p50, p95] = ring.subarray(
    start,
    start + NUMBERS_PER_STEP,
  );
  if (stored !== minute) return undefined;
  return { minute, handedOut, tried, reached, p50: p50 || undefined, p95: p95 || undefined };
}

function walkRing(ring: Uint32Array, last: number, visit: MinuteVisitor): void {
  for (let minute = last; minute > last - DAY_MINUTES; minute -= 1) {
    const start = placeOf(minute, DAY);
    const [tried, reached] = [ring[start + 2] ?? 0, ring[start + 3] ?? 0];
    if (ring[start] === minute && tried > 0 && !visit(minute, { tried, reached })) return;
  }
}

function sumTimes(ring: Uint32Array, minutes: readonly number[]): ReadonlyMap<number, number> {
  const sum = new Map<number, number>();
  for (const minute of minutes) {
    const start = placeOf(minute, TIMES);
    if (ring[start] !== minute) continue;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      const count = ring[start + 1 + bucket] ?? 0;
      if (count > 0) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
    }
  }
  return sum;
}
