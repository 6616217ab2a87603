import { BUCKETS, quantileOf } from './time-buckets.ts';

/** What was counted in one minute. */
export type Minute = {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly handedOut: number;
  readonly tried: number;
  readonly reached: number;
  /** Of the visitors who reached it, in ms; undefined where nobody did. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
};

/** What is added to a minute. A ring has either times or voters, which are in the same place. */
export type AddedCounts = Pick<Minute, 'handedOut' | 'tried' | 'reached'> &
  (
    | {
        /** How many times fell into each bucket. */
        readonly times: ReadonlyMap<number, number>;
      }
    | {
        /** How many of those who were stranded each voter had, see `voters.ts`. */
        readonly voters: ReadonlyMap<number, number>;
      }
  );

export type MinuteVisitor = (minute: number, tally: Pick<Minute, 'tried' | 'reached'>) => boolean;

/** The last 24 hours, minute by minute, and the times or voters of the last hour. */
export type MinuteRing = {
  readonly add: (minute: number, counts: AddedCounts) => void;
  /** What was counted in a minute; undefined where that was nothing, or more than 24 hours ago. */
  readonly read: (minute: number) => Minute | undefined;
  /** How many times of these minutes fell into each bucket. Of minutes more than an hour ago, none is known. */
  readonly sumTimes: (minutes: readonly number[]) => ReadonlyMap<number, number>;
  /** The same for voters. */
  readonly sumVoters: (minutes: readonly number[]) => ReadonlyMap<number, number>;
  /** Shows the minutes in which something was tried, newest first, for as long as the visitor returns true. */
  readonly walkBack: (lastMinute: number, visit: MinuteVisitor) => void;
  /** All of it, for a snapshot. */
  readonly numbers: Uint32Array;
};

export const DAY_MINUTES = 24 * 60;
export const HOUR_MINUTES = 60;

/** The offset of each number of a minute from the start of the minute. 0 stands for "no time". */
const MINUTE = { minute: 0, handedOut: 1, tried: 2, reached: 3, p50: 4, p95: 5 } as const;
/** The same for the times of a minute: the minute, then one number for each bucket, or for each voter. */
const TIMES = { minute: 0, firstBucket: 1 } as const;

/** A stretch of the ring, with a fixed count of numbers for each minute. A minute overwrites the one a round before. */
type Section = { readonly start: number; readonly minutes: number; readonly numbers: number };

const DAY: Section = { start: 0, minutes: DAY_MINUTES, numbers: Object.keys(MINUTE).length };
const HOUR: Section = { start: DAY.minutes * DAY.numbers, minutes: HOUR_MINUTES, numbers: 1 + BUCKETS };
export const RING_LENGTH = HOUR.start + HOUR.minutes * HOUR.numbers;

/**
 * Keeps the minutes in one typed array, one number after the other: a day of 200 lines takes 8 MB, and goes into a snapshot
 * as it is. One object a minute took 26 MB there, and five seconds to read.
 */
export function createMinuteRing(numbers: Uint32Array = new Uint32Array(RING_LENGTH)): MinuteRing {
  const numberAt = (place: number): number => numbers[place] ?? 0;

  return {
    numbers,
    add: (minute, { handedOut, tried, reached, ...more }) => {
      const groups = 'times' in more ? more.times : more.voters;
      const start = openMinute(minute, DAY);
      numbers[start + MINUTE.handedOut] = numberAt(start + MINUTE.handedOut) + handedOut;
      numbers[start + MINUTE.tried] = numberAt(start + MINUTE.tried) + tried;
      numbers[start + MINUTE.reached] = numberAt(start + MINUTE.reached) + reached;
      if (groups.size === 0) return;
      const firstBucket = openMinute(minute, HOUR) + TIMES.firstBucket;
      for (const [bucket, count] of groups)
        numbers[firstBucket + bucket] = numberAt(firstBucket + bucket) + count;
      if (!('times' in more)) return;
      const all = sumGroups([minute]);
      numbers[start + MINUTE.p50] = quantileOf(all, 0.5) ?? 0;
      numbers[start + MINUTE.p95] = quantileOf(all, 0.95) ?? 0;
    },
    read: (minute) => {
      const start = placeOf(minute, DAY);
      if (numberAt(start + MINUTE.minute) !== minute) return undefined;
      return {
        minute,
        handedOut: numberAt(start + MINUTE.handedOut),
        tried: numberAt(start + MINUTE.tried),
        reached: numberAt(start + MINUTE.reached),
        p50: numberAt(start + MINUTE.p50) || undefined,
        p95: numberAt(start + MINUTE.p95) || undefined,
      };
    },
    sumTimes: sumGroups,
    sumVoters: sumGroups,
    walkBack: (last, visit) => {
      for (let minute = last; minute > last - DAY_MINUTES; minute -= 1) {
        const start = placeOf(minute, DAY);
        const tried = numberAt(start + MINUTE.tried);
        if (numberAt(start + MINUTE.minute) !== minute || tried === 0) continue;
        if (!visit(minute, { tried, reached: numberAt(start + MINUTE.reached) })) return;
      }
    },
  };

  function sumGroups(minutes: readonly number[]): ReadonlyMap<number, number> {
    const sum = new Map<number, number>();
    for (const minute of minutes) {
      const start = placeOf(minute, HOUR);
      if (numberAt(start + TIMES.minute) !== minute) continue;
      for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
        const count = numberAt(start + TIMES.firstBucket + bucket);
        if (count > 0) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
      }
    }
    return sum;
  }

  /** The place of a minute, cleared of the minute that was there a round ago. */
  function openMinute(minute: number, section: Section): number {
    const start = placeOf(minute, section);
    if (numberAt(start) !== minute) {
      numbers.fill(0, start, start + section.numbers);
      numbers[start] = minute;
    }
    return start;
  }
}

function placeOf(minute: number, { start, minutes, numbers }: Section): number {
  return start + (minute % minutes) * numbers;
}
