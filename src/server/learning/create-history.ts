import { MAX_LINES } from '../../contract/limits.ts';
import { DAY_MINUTES, HOUR_MINUTES, MINUTE_MS } from '../../contract/time-units.ts';
import { forgetOldest, putLast } from '../process/forget-oldest.ts';
import type { Counts } from './counts.ts';
import { type CountColumns, type CountRing, createCountRing } from './create-count-ring.ts';
import { type GroupColumns, type GroupRing, createGroupRing } from './create-group-ring.ts';
import { BUCKETS, quantileOf } from './time-buckets.ts';
import { VOTERS } from './voters.ts';

/** What was counted of a line in one minute. */
export type Minute = {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly handedOut: number;
  readonly tried: number;
  readonly reached: number;
  /** Visitors who were moved away from it, because they lost it while they were in it. */
  readonly moved: number;
  /** Of the visitors who reached it, in ms; undefined where nobody did. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
};

export type MinuteVisitor = (minute: number, tally: Pick<Minute, 'tried' | 'reached'>) => boolean;

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
  /** The same of all lines together: the times of the lines that were entered. */
  readonly readSiteQuantile: (now: number, part: number) => number | undefined;
  /** Shows the minutes of a line in which it was tried, newest first, for as long as the visitor returns true. */
  readonly walkBack: (lineId: string, now: number, visit: MinuteVisitor) => void;
  readonly save: () => SavedHistory;
  readonly restore: (saved: SavedHistory) => void;
};

/** The names of what is counted in each minute. The quantiles of a minute without a time are 0. */
export const LINE_COUNTS = ['handedOut', 'tried', 'reached', 'p50', 'p95', 'moved'] as const;
export const SITE_COUNTS = ['hostnameCalls', 'reports', 'entered', 'p50', 'p95'] as const;
export const ARRIVAL_COUNTS = ['reports', 'stranded'] as const;

type SavedRings<Name extends string> = {
  readonly counts: CountColumns<Name>;
  /** The times of each minute by bucket, or who was stranded by voter. */
  readonly groups: GroupColumns;
};

/** A history for a snapshot: the columns of its rings. */
export type SavedHistory = {
  readonly site: SavedRings<(typeof SITE_COUNTS)[number]>;
  readonly arrivals: SavedRings<(typeof ARRIVAL_COUNTS)[number]>;
  /** By line id. */
  readonly lines: ReadonlyMap<string, SavedRings<(typeof LINE_COUNTS)[number]>>;
};

/**
 * The site may add and remove lines: beyond this many, the one that was unseen for longest is forgotten. It is more than a site
 * can have at a time, because the state of a line is judged by its last minutes. A line takes 40 KB.
 */
const MAX_KEPT_LINES = MAX_LINES + 100;

/** The last day of something, and the last hour of it by group. */
type Rings<Name extends string> = { readonly counts: CountRing<Name>; readonly groups: GroupRing };

export function createHistory(): History {
  // The least recently counted first.
  let lines = new Map<string, Rings<(typeof LINE_COUNTS)[number]>>();
  let site = createRings(SITE_COUNTS, BUCKETS);
  let arrivals = createRings(ARRIVAL_COUNTS, VOTERS.stranded.count);

  return {
    addWindow: (counts, at) => {
      // A window that ends with a minute belongs to it.
      const minute = Math.floor((at - 1) / MINUTE_MS);
      for (const [lineId, { handedOut, tried, reached, moved, times }] of counts.lines) {
        const line = openLine(lineId);
        line.counts.add(minute, { handedOut, tried, reached, p50: 0, p95: 0, moved });
        addTimes(line, minute, times);
      }
      const { hostnameCalls, reports, entered, stranded, strandedByVoter, times } = counts.site;
      if (reports > 0) {
        arrivals.counts.add(minute, { reports, stranded });
        arrivals.groups.add(minute, strandedByVoter);
      }
      if (hostnameCalls === 0 && reports === 0) return;
      site.counts.add(minute, { hostnameCalls, reports, entered, p50: 0, p95: 0 });
      addTimes(site, minute, times);
    },
    readLine: (lineId, now, minutes = DAY_MINUTES) => {
      const line = lines.get(lineId);
      return line === undefined ? [] : readMinutes(line.counts, now, minutes).map(nameQuantiles);
    },
    readSite: (now, minutes = DAY_MINUTES) => readMinutes(site.counts, now, minutes).map(nameQuantiles),
    sumArrivals: (now, minutes) => {
      const byVoter = arrivals.groups.sum(listMinutes(now, minutes));
      const sum = { reports: 0, stranded: 0, strandedOfOneVoter: Math.max(0, ...byVoter.values()) };
      for (const { reports, stranded } of readMinutes(arrivals.counts, now, minutes)) {
        sum.reports += reports;
        sum.stranded += stranded;
      }
      return sum;
    },
    readLineQuantile: (lineId, now, part) => {
      const line = lines.get(lineId);
      return line && readHourQuantile(line.groups, now, part);
    },
    readSiteQuantile: (now, part) => readHourQuantile(site.groups, now, part),
    walkBack: (lineId, now, visit) => {
      const last = Math.floor(now / MINUTE_MS);
      const counts = lines.get(lineId)?.counts;
      for (let minute = last; minute > last - DAY_MINUTES; minute -= 1) {
        const { tried, reached } = counts?.read(minute) ?? { tried: 0, reached: 0 };
        if (tried > 0 && !visit(minute, { tried, reached })) return;
      }
    },
    save: () => ({
      site: saveRings(site),
      arrivals: saveRings(arrivals),
      lines: new Map([...lines].map(([lineId, rings]) => [lineId, saveRings(rings)])),
    }),
    restore: (saved) => {
      site = createRings(SITE_COUNTS, BUCKETS, saved.site);
      arrivals = createRings(ARRIVAL_COUNTS, VOTERS.stranded.count, saved.arrivals);
      lines = new Map(
        [...saved.lines].map(([lineId, rings]) => [lineId, createRings(LINE_COUNTS, BUCKETS, rings)]),
      );
    },
  };

  /** The minutes of a line, which goes to the end of the queue. */
  function openLine(lineId: string): Rings<(typeof LINE_COUNTS)[number]> {
    const line = lines.get(lineId) ?? createRings(LINE_COUNTS, BUCKETS);
    putLast(lines, lineId, line);
    forgetOldest(lines, MAX_KEPT_LINES);
    return line;
  }
}

function createRings<Name extends string>(
  names: readonly Name[],
  groups: number,
  saved?: SavedRings<Name>,
): Rings<Name> {
  return { counts: createCountRing(names, saved?.counts), groups: createGroupRing(groups, saved?.groups) };
}

function saveRings<Name extends string>({ counts, groups }: Rings<Name>): SavedRings<Name> {
  return { counts: counts.columns, groups: groups.columns };
}

/** Adds times to a minute. Its quantiles are those of all its times. */
function addTimes(
  {
    counts,
    groups,
  }: { readonly counts: Pick<CountRing<'p50' | 'p95'>, 'replace'>; readonly groups: GroupRing },
  minute: number,
  times: ReadonlyMap<number, number>,
): void {
  groups.add(minute, times);
  const all = groups.sum([minute]);
  counts.replace(minute, { p50: quantileOf(all, 0.5) ?? 0, p95: quantileOf(all, 0.95) ?? 0 });
}

function nameQuantiles<M extends { readonly p50: number; readonly p95: number }>(minute: M) {
  return { ...minute, p50: minute.p50 || undefined, p95: minute.p95 || undefined };
}

function readMinutes<Name extends string>(ring: CountRing<Name>, now: number, minutes: number) {
  return listMinutes(now, minutes).flatMap((minute) => ring.read(minute) ?? []);
}

function readHourQuantile(ring: GroupRing, now: number, part: number): number | undefined {
  return quantileOf(ring.sum(listMinutes(now, HOUR_MINUTES)), part);
}

function listMinutes(now: number, minutes: number): readonly number[] {
  const last = Math.floor(now / MINUTE_MS);
  return Array.from({ length: minutes }, (_, index) => last - minutes + 1 + index);
}
