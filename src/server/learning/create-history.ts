import { MAX_LINES } from '../../contract/limits.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import type { Counts } from './counts.ts';
import {
  DAY_MINUTES,
  HOUR_MINUTES,
  type Minute,
  type MinuteRing,
  type MinuteVisitor,
  createMinuteRing,
} from './create-minute-ring.ts';
import { quantileOf } from './time-buckets.ts';

/** What was counted of the site as a whole in one minute. */
export type SiteMinute = Pick<Minute, 'minute' | 'p50' | 'p95'> & {
  readonly hostnameCalls: number;
  readonly reports: number;
  /** Reports of visitors who entered a line. */
  readonly entered: number;
};

/** How many visitors reported in some minutes, and how many of them reached nothing at all. */
export type Arrivals = {
  readonly reports: number;
  readonly stranded: number;
  /** How many of the stranded came from the voter with the most of them. Those of more than an hour ago are not known. */
  readonly strandedOfOneVoter: number;
};

/** The last 24 hours of every line and of the site, minute by minute. Lists are of minutes in which something was counted. */
export type History = {
  readonly addWindow: (counts: Counts, at: number) => void;
  /** The minutes of a line, oldest first: of the last 24 hours, or of the last `minutes`. */
  readonly readLine: (lineId: string, now: number, minutes?: number) => readonly Minute[];
  /** The minutes of the site, oldest first. */
  readonly readSite: (now: number, minutes?: number) => readonly SiteMinute[];
  /** Who reported in the last `minutes`, the current one included. */
  readonly sumArrivals: (now: number, minutes: number) => Arrivals;
  /** A quantile of the last hour's times of a line, in ms, such as the median for 0.5. Undefined if there was no time. */
  readonly readLineQuantile: (lineId: string, now: number, part: number) => number | undefined;
  /** The same of the lines that were entered, whichever they are. */
  readonly readSiteQuantile: (now: number, part: number) => number | undefined;
  /** Shows the minutes of a line in which it was tried, newest first, for as long as the visitor returns true. */
  readonly walkBack: (lineId: string, now: number, visit: MinuteVisitor) => void;
  readonly save: () => SavedHistory;
  readonly restore: (saved: SavedHistory) => void;
};

/** A history for a snapshot: the numbers of each ring of minutes, see `create-minute-ring.ts`. */
export type SavedHistory = {
  readonly site: Uint32Array;
  /** Counts reports (`tried`), reports that were not stranded (`reached`), and stranded reports of each voter. */
  readonly arrivals: Uint32Array;
  /** By line id. */
  readonly lines: ReadonlyMap<string, Uint32Array>;
};

/**
 * The site may add and remove lines: beyond this many, the one that was unseen for longest is forgotten. It is more than a site
 * can have at a time, because the state of a line is judged by its last minutes. A line takes 40 KB.
 */
const MAX_KEPT_LINES = MAX_LINES + 100;

export function createHistory(): History {
  // The least recently counted first.
  let lines = new Map<string, MinuteRing>();
  let site = createMinuteRing();
  let arrivals = createMinuteRing();

  return {
    addWindow: (counts, at) => {
      // A window that ends with a minute belongs to it.
      const minute = Math.floor((at - 1) / MINUTE_MS);
      for (const [lineId, tally] of counts.lines) openLine(lineId).add(minute, tally);
      const { hostnameCalls, reports, entered, stranded, strandedByVoter, times } = counts.site;
      if (reports > 0) {
        const reached = reports - stranded;
        arrivals.add(minute, { handedOut: 0, tried: reports, reached, voters: strandedByVoter });
      }
      if (hostnameCalls > 0 || reports > 0) {
        site.add(minute, { handedOut: hostnameCalls, tried: reports, reached: entered, times });
      }
    },
    readLine: (lineId, now, minutes = DAY_MINUTES) => {
      const line = lines.get(lineId);
      return line === undefined ? [] : readMinutes(line, now, minutes);
    },
    readSite: (now, minutes = DAY_MINUTES) =>
      readMinutes(site, now, minutes).map(({ minute, handedOut, tried, reached, p50, p95 }) => ({
        minute,
        hostnameCalls: handedOut,
        reports: tried,
        entered: reached,
        p50,
        p95,
      })),
    sumArrivals: (now, minutes) => {
      const byVoter = arrivals.sumVoters(listMinutes(now, minutes));
      const sum = { reports: 0, stranded: 0, strandedOfOneVoter: Math.max(0, ...byVoter.values()) };
      for (const { tried, reached } of readMinutes(arrivals, now, minutes)) {
        sum.reports += tried;
        sum.stranded += tried - reached;
      }
      return sum;
    },
    readLineQuantile: (lineId, now, part) => {
      const line = lines.get(lineId);
      return line && readHourQuantile(line, now, part);
    },
    readSiteQuantile: (now, part) => readHourQuantile(site, now, part),
    walkBack: (lineId, now, visit) => lines.get(lineId)?.walkBack(Math.floor(now / MINUTE_MS), visit),
    save: () => ({
      site: site.numbers,
      arrivals: arrivals.numbers,
      lines: new Map([...lines].map(([lineId, { numbers }]) => [lineId, numbers])),
    }),
    restore: (saved) => {
      site = createMinuteRing(saved.site);
      arrivals = createMinuteRing(saved.arrivals);
      lines = new Map([...saved.lines].map(([lineId, numbers]) => [lineId, createMinuteRing(numbers)]));
    },
  };

  /** The minutes of a line, which goes to the end of the queue. */
  function openLine(lineId: string): MinuteRing {
    const line = lines.get(lineId) ?? createMinuteRing();
    lines.delete(lineId);
    const [oldest] = lines.keys();
    if (lines.size >= MAX_KEPT_LINES && oldest !== undefined) lines.delete(oldest);
    lines.set(lineId, line);
    return line;
  }
}

function readMinutes(ring: MinuteRing, now: number, minutes: number): readonly Minute[] {
  return listMinutes(now, minutes).flatMap((minute) => ring.read(minute) ?? []);
}

function readHourQuantile(ring: MinuteRing, now: number, part: number): number | undefined {
  return quantileOf(ring.sumTimes(listMinutes(now, HOUR_MINUTES)), part);
}

function listMinutes(now: number, minutes: number): readonly number[] {
  const last = Math.floor(now / MINUTE_MS);
  return Array.from({ length: minutes }, (_, index) => last - minutes + 1 + index);
}
