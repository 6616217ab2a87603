import type { InConsoleLanguages } from './console-language.ts';
import type { IncidentKind, Severity } from './incidents.ts';

/** How often visitors got in, and what was wrong, for up to 400 days. Times are ms since 1970; days are days in UTC. */

/** How many days back the history goes, today included. */
export const UPTIME_DAYS = [7, 30, 90, 365] as const;

export type UptimeDays = (typeof UPTIME_DAYS)[number];

/** A line has its host as its name here. The site as a whole has none. */
export const WHOLE_SITE = '';

/** What is added up over some minutes, of a line or of the site. */
export type UptimeSums = {
  /** Minutes in which the site had visitors, and the line was not in maintenance. */
  readonly served: number;
  /** Those of them in which nobody was handed the line, because it was down. */
  readonly leftOut: number;
  /** Those of them in which visitors told whether they got in. */
  readonly known: number;
  /** The sum of the parts of the visitors who got in in each known minute, in ten-thousandths. */
  readonly good: number;
  /** The visits of the known minutes, and how many of them got in. */
  readonly visits: number;
  readonly gotIn: number;
  /** Minutes in which the server knew of its own probe, and those of them in which the line was not down. */
  readonly probed: number;
  readonly probedUp: number;
};

/** What visitors met. */
export type MetSums = Pick<UptimeSums, 'served' | 'leftOut' | 'known' | 'good'>;

export const NO_UPTIME: UptimeSums = {
  served: 0,
  leftOut: 0,
  known: 0,
  good: 0,
  visits: 0,
  gotIn: 0,
  probed: 0,
  probedUp: 0,
};

const GOOD = 10_000;

/** The sums of a minute in which the share `part` of the visitors (0 to 1) got in. */
export function countMinute(part: number): Pick<UptimeSums, 'known' | 'good'> {
  return { known: 1, good: Math.round(part * GOOD) };
}

/**
 * The percentage of the visitors who got in. Each minute counts once. In a minute in which the line was left out, nobody got in.
 * Minutes without a visit are taken to be like those with one. Undefined if nothing is known.
 */
export function percentOfVisitors(sums: MetSums): number | undefined {
  const part = partOfVisitors(sums);
  return part === undefined ? undefined : roundDown(part * 100);
}

/** The same from 0 to 1, as exact as it is known. */
export function partOfVisitors({ served, leftOut, known, good }: MetSums): number | undefined {
  if (served > 0 && leftOut === served) return 0;
  if (known === 0) return undefined;
  const partHandedOut = served === 0 ? 1 : 1 - leftOut / served;
  return partHandedOut * (good / known / GOOD);
}

/** The percentage of the minutes in which the server's own probe did not see it down. Undefined if it never looked. */
export function percentOfProbes({
  probed,
  probedUp,
}: Pick<UptimeSums, 'probed' | 'probedUp'>): number | undefined {
  return probed === 0 ? undefined : roundDown((probedUp / probed) * 100);
}

/** Writes such a percentage without its sign. Only 100 itself has no decimals. */
export function writePercent(percent: number): string {
  return percent === 100 ? '100' : percent.toFixed(2);
}

/** To hundredths, and never up: 99.996 % is not 100 %. */
function roundDown(percent: number): number {
  // What is a whole number of hundredths may be a little less in binary.
  return Math.floor(percent * 100 + 1e-6) / 100;
}

/** The console lists this many incidents of a period. More are only counted. */
export const MAX_LISTED_INCIDENTS = 100;

/** What is left of an incident. */
export type PastIncident = {
  readonly id: string;
  readonly kind: IncidentKind;
  readonly severity: Severity;
  /** The host of a line, the name of a channel or of a portal. Empty for the site as a whole. */
  readonly subject: string;
  /** What it was called last. Older versions kept no names. */
  readonly names?: InConsoleLanguages;
  /** The hosts of all lines that were part of it. */
  readonly lines: readonly string[];
  readonly startedAt: number;
  /** Null while it lasts. */
  readonly endedAt: number | null;
  /** When it was noticed, and when somebody took it first. Null if nobody did. */
  readonly noticedAt: number;
  readonly takenAt: number | null;
};

/** The incidents of a period, added up. */
export type IncidentTotals = {
  readonly count: number;
  /** The time in which at least one of them lasted, inside the period. */
  readonly totalMs: number;
  /** Null if there was none. */
  readonly longestMs: number | null;
  readonly taken: number;
  /** From the notice until somebody took it: the median of those that were taken. Null if none was. */
  readonly takenAfterMs: number | null;
};

export type LineHistory = {
  /** Its host, or `WHOLE_SITE`. */
  readonly line: string;
  /** Null if the site has it no more. */
  readonly id: string | null;
  readonly role: 'site' | 'line' | 'backup' | 'gone';
  readonly sums: UptimeSums;
  readonly incidents: IncidentTotals;
};

/** A line of the view, with its picture. */
export type LineUptime = LineHistory & {
  /** The percentage of the visitors who got in, for each `stripDays` days, oldest first. Null if nothing is known. */
  readonly strip: readonly (number | null)[];
};

export type UptimePoint = { readonly at: number; readonly sums: UptimeSums };

/** `GET /api/console/history`. */
export type ConsoleUptime = {
  readonly at: number;
  readonly days: UptimeDays;
  readonly from: number;
  /** The site first, then the lines in the order of the site folder, the backups, and those that are gone. */
  readonly all: readonly LineUptime[];
  /** The days of each cell of a strip. The last cell may have fewer. */
  readonly stripDays: number;
  /** What the points and the incidents are about. */
  readonly line: string;
  readonly by: 'hour' | 'day';
  /** Those of which something is known, oldest first. */
  readonly points: readonly UptimePoint[];
  /** The newest first. */
  readonly incidents: readonly PastIncident[];
};
