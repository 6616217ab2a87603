import type { Logger } from 'pino';
import { DAY_HOURS, DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';
import {
  type Expected,
  type MissingVisitors,
  forgetUsual,
  noteCalls,
} from '../learning/losses/missing-visitors.ts';
import { repeat } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import { OTHER } from '../../contract/visitors.ts';
import { ALL_CALLS, CALL_NUMBERS, type CallPlace, readCallCell } from './call-cells.ts';
import type { Cells } from './cells.ts';
import type { VisitKeeper } from './keep-visits.ts';

/** Far fewer visitors come than usual: by all ways, or by some. */
export type MissingCalls = {
  /** Empty if they are missing everywhere. */
  readonly places: readonly CallPlace[];
  readonly since: number;
  readonly seen: number;
  readonly expected: number;
};

export type CallWatch = Required<Pick<Service, 'start'>> & {
  /** Compares the last minute with what could be expected. Call it once a minute. Rejects while the database is away. */
  readonly look: () => Promise<void>;
  /** Undefined if nobody is missing. `'unknown'` if it has not looked for long enough, or not lately. */
  readonly missing: () => MissingCalls | 'unknown' | undefined;
};

export type CallWatchDeps = {
  readonly calls: Pick<VisitKeeper, 'readTimes'>;
  readonly log: Pick<Logger, 'error'>;
  readonly now: () => number;
};

const WEEK_HOURS = 7 * DAY_HOURS;
const WEEKS = [1, 2, 3];
/** The last whole hours say how busy this day is: a holiday is quieter than the same day of other weeks. */
const LEVEL_HOURS = 3;
/** With fewer than this many expected in these hours, nobody knows how busy the day is. */
const MIN_LEVEL_CALLS = 30;
/** Fewer than one in a minute, or than 2 % of all, say too little of a place. */
const MIN_EXPECTED = 1;
const MIN_PART = 0.02;
/** Longer stretches between two looks are left out: the portal may not have run. */
const MAX_MINUTES = 3;
/** Before it has looked for this long, it does not say that nobody is missing: a restart must not end an incident. */
const SURE_AFTER_MS = 10 * MINUTE_MS;
/**
 * If fewer than this part of the visitors of other weeks have come since then, it is a very quiet day, or they were missing before. For a
 * day it does not say which.
 */
const QUIET_PART = 0.25;

type Hours = ReadonlyMap<number, Cells>;
type Reading = { readonly at: number; readonly hours: Hours };
/** What can be expected in the hours around one, and how busy this day is in each place. */
type Usual = {
  readonly hour: number;
  readonly expected: Hours;
  readonly levels: ReadonlyMap<string, number>;
};

/** Watches whether visitors come: a portal, a domain or a network may be lost where nobody can report it. */
export function watchCalls({ calls, log, now }: CallWatchDeps): CallWatch {
  let last: Reading | undefined;
  let usual: Usual | undefined;
  let evidence: MissingVisitors = new Map();
  /** Since when it has looked again and again. */
  let lookingSince = now();
  /** How many came since then, and in other weeks. */
  let looked: Expected = { seen: 0, expected: 0 };
  let isSure = false;

  return {
    start: () => repeat(look, () => MINUTE_MS, { name: 'visitors: watch calls', log }),
    look,
    missing: () => {
      const isBlind = last === undefined || now() - last.at > MAX_MINUTES * MINUTE_MS;
      const missing = summarize(evidence);
      if (isBlind || (missing === undefined && !isSure)) return 'unknown';
      return missing;
    },
  };

  async function look(): Promise<void> {
    const at = now();
    const hour = Math.floor(at / HOUR_MS);
    const hours = await calls.readTimes({ by: 'hour', first: hour - 1, last: hour });
    if (usual?.hour !== hour) {
      evidence = forgetUsual(evidence, at);
      usual = await readUsual(calls, hour, { levels: usual?.levels, evidence });
    }
    const minutes = last === undefined ? Infinity : (at - last.at) / MINUTE_MS;
    const reading = { at, hours };
    if (last !== undefined && minutes > 0 && minutes <= MAX_MINUTES) {
      evidence = noteCalls(evidence, compare(last, reading, usual), { now: at, minutes });
      const expected = expectAt(usual.expected, ALL_CALLS, (last.at + at) / 2) * minutes;
      looked = {
        seen: looked.seen + countSeen(last, reading, ALL_CALLS),
        expected: looked.expected + expected,
      };
      const isQuiet = looked.seen < looked.expected * QUIET_PART;
      isSure ||= at - lookingSince >= (isQuiet ? DAY_MS : SURE_AFTER_MS);
    } else {
      lookingSince = at;
      looked = { seen: 0, expected: 0 };
      isSure = false;
    }
    last = reading;
  }
}

type ReadCalls = CallWatchDeps['calls'];
/** What is known when an hour begins. */
type Known = { readonly levels: Usual['levels'] | undefined; readonly evidence: MissingVisitors };

async function readUsual(calls: ReadCalls, hour: number, known: Known): Promise<Usual> {
  const expected = await readExpected(calls, hour);
  return { hour, expected, levels: await readLevels(calls, { hour, expected }, known) };
}

/** What three weeks let expect for the hours around this one. Empty if the store has no three weeks of this hour. */
async function readExpected(calls: ReadCalls, hour: number): Promise<Hours> {
  const [first, end] = [hour - LEVEL_HOURS, hour + 1];
  const weeks = await Promise.all(
    WEEKS.map(async (week) => {
      const back = week * WEEK_HOURS;
      return [back, await calls.readTimes({ by: 'hour', first: first - back, last: end - back })] as const;
    }),
  );
  const expected = new Map<number, Cells>();
  for (let each = first; each <= end; each += 1) {
    const seen = weeks.map(([back, times]) => times.get(each - back) ?? new Map<string, number>());
    if (!seen.every((cells) => (cells.get(ALL_CALLS) ?? 0) > 0)) continue;
    const cells = new Set(seen.flatMap((times) => [...times.keys()]));
    // The median: one of the weeks may have had a campaign, or an outage.
    const medians = [...cells].map((cell) => {
      const [, median = 0] = seen.map((times) => times.get(cell) ?? 0).toSorted((a, b) => a - b);
      return [cell, median] as const;
    });
    expected.set(each, new Map(medians));
  }
  return expected;
}

/** How busy this day is in each place, at most as usual. Where visitors are missing it stays as it was. */
async function readLevels(
  calls: ReadCalls,
  { hour, expected }: Omit<Usual, 'levels'>,
  { levels, evidence }: Known,
): Promise<Usual['levels']> {
  const [first, end] = [hour - LEVEL_HOURS, hour - 1];
  const seen = await calls.readTimes({ by: 'hour', first, last: end });
  const found = new Map<string, number>();
  for (const cell of expected.get(hour)?.keys() ?? []) {
    const usual = sumHours(expected, cell, { first, last: end });
    const kept = evidence.has(cell) ? levels?.get(cell) : undefined;
    if (kept !== undefined) found.set(cell, kept);
    else if (usual >= MIN_LEVEL_CALLS)
      found.set(cell, Math.min(1, sumHours(seen, cell, { first, last: end }) / usual));
  }
  return found;
}

/** Compares who came between two readings with who could be expected, in each place. */
function compare(
  before: Reading,
  after: Reading,
  { expected: hours, levels }: Usual,
): ReadonlyMap<string, Expected> {
  const minutes = (after.at - before.at) / MINUTE_MS;
  const middle = (before.at + after.at) / 2;
  const counted = new Map<string, Expected>();
  const perMinute = (cell: string): number => expectAt(hours, cell, middle) * (levels.get(cell) ?? 0);
  const seenOf = (cell: string): number => countSeen(before, after, cell);
  const least = Math.max(MIN_EXPECTED, perMinute(ALL_CALLS) * MIN_PART);
  // Somebody can make up more names than are counted on a day. Then visitors of any place may be among those without a name.
  const unnamed = Math.max(0, seenOf(OTHER) - perMinute(OTHER) * minutes);
  for (const cell of levels.keys()) {
    const expected = perMinute(cell) * minutes;
    if (expected < least * minutes) continue;
    const named = seenOf(cell);
    counted.set(cell, { seen: CALL_NUMBERS.findMadeUp(cell) ? named + unnamed : named, expected });
  }
  return counted;
}

/** How often a cell was counted between two readings. */
function countSeen(before: Reading, after: Reading, cell: string): number {
  let seen = 0;
  for (const [hour, cells] of after.hours)
    seen += (cells.get(cell) ?? 0) - (before.hours.get(hour)?.get(cell) ?? 0);
  return seen;
}

/** How many are expected in a minute. What was counted in an hour is what came in its middle. */
function expectAt(hours: Hours, cell: string, at: number): number {
  const place = at / HOUR_MS - 0.5;
  const hour = Math.floor(place);
  const [one, other] = [hour, hour + 1].map((each) => hours.get(each)?.get(cell));
  const part = place - hour;
  return ((one ?? other ?? 0) * (1 - part) + (other ?? one ?? 0) * part) / 60;
}

/** If all are missing, nobody needs to know where. Of several places, the numbers are those of the largest: places overlap. */
function summarize(evidence: MissingVisitors): MissingCalls | undefined {
  const missing = [...evidence].filter(([, { isMissing }]) => isMissing);
  const all = missing.filter(([cell]) => cell === ALL_CALLS);
  const told = all.length > 0 ? all : missing.toSorted(([, one], [, other]) => other.expected - one.expected);
  const most = told[0]?.[1];
  if (most === undefined) return undefined;
  return {
    places: told.flatMap(([cell]) => readCallCell(cell) ?? []),
    since: Math.min(...told.map(([, { since }]) => since)),
    seen: most.seen,
    expected: most.expected,
  };
}

function sumHours(
  hours: Hours,
  cell: string,
  { first, last }: { readonly first: number; readonly last: number },
): number {
  let sum = 0;
  for (let hour = first; hour <= last; hour += 1) sum += hours.get(hour)?.get(cell) ?? 0;
  return sum;
}
