import { MINUTE_MS } from '../../../contract/time-units.ts';
import { type SiteTally, WINDOW_MS, addCount } from '../counts.ts';

/** Who reported in the latest windows, the newest last. */
export type EntryWindows = EntryWindow[];

type EntryWindow = Pick<SiteTally, 'reports' | 'stranded'> & {
  readonly at: number;
  readonly strandedByVoter: ReadonlyMap<number, number>;
};

/** Hardly anybody gets in. */
export type EntryLoss = {
  /** The part of the visitors who reached no line. */
  readonly part: number;
  readonly visitors: number;
  readonly since: number;
  /** False if it is only enough to believe that it goes on. */
  readonly isSure: boolean;
};

/** Older windows say nothing about now. */
const LATELY_MS = 3 * MINUTE_MS;
/** At least the last 12 visitors are asked. A window counts as a whole. */
const MIN_REPORTS = 12;
/** 60 % of them reached no line. Under 30 %, it is over. */
const LOST_PART = 0.6;
const STILL_LOST_PART = 0.3;

/** Adds a window, and forgets those that are too old. */
export function foldEntries(
  windows: EntryWindows,
  { reports, stranded, strandedByVoter }: SiteTally,
  at: number,
): void {
  if (reports > 0) windows.push({ reports, stranded, strandedByVoter, at });
  while (windows[0] !== undefined && windows[0].at <= at - LATELY_MS) windows.shift();
}

/**
 * Says whether hardly anybody gets in now. The voter (a group of prefixes) with the most stranded visitors is left out, so that
 * one liar cannot claim it.
 */
export function findEntryLoss(windows: EntryWindows, now: number): EntryLoss | undefined {
  const latest = windows.filter(({ at }) => Math.abs(now - at) < LATELY_MS);
  const asked: EntryWindow[] = [];
  while (sumOf(asked).reports < MIN_REPORTS) {
    const window = latest.pop();
    if (window === undefined) return undefined;
    asked.push(window);
  }
  const { reports, stranded, doubtful } = sumOf(asked);
  const part = (stranded - doubtful) / Math.max(1, reports - doubtful);
  if (part < STILL_LOST_PART) return undefined;
  // It began with the first of the windows in a row in which most were stranded.
  const before = latest.toReversed().findIndex((each) => each.stranded < each.reports * LOST_PART);
  const bad = [...asked, ...latest.toReversed().slice(0, before === -1 ? latest.length : before)];
  return {
    part,
    visitors: sumOf(bad).stranded,
    since: Math.min(...bad.filter((each) => each.stranded > 0).map(({ at }) => at)) - WINDOW_MS,
    isSure: part >= LOST_PART,
  };
}

function sumOf(windows: readonly EntryWindow[]): {
  readonly reports: number;
  readonly stranded: number;
  readonly doubtful: number;
} {
  const byVoter = new Map<number, number>();
  const sum = { reports: 0, stranded: 0 };
  for (const { reports, stranded, strandedByVoter } of windows) {
    sum.reports += reports;
    sum.stranded += stranded;
    for (const [voter, count] of strandedByVoter) addCount(byVoter, voter, count);
  }
  return { ...sum, doubtful: Math.max(0, ...byVoter.values()) };
}
