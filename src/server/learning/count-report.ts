import type { MeasurementReport } from '../../contract/api/measurement-report.ts';
import type { Area } from './area.ts';
import {
  type Counts,
  type Observation,
  addObservation,
  addCount,
  createCounts,
  openTally,
  openVoter,
  roundToThousandths,
} from './counts.ts';
import { SHORTEST_MS, bucketOf } from './time-buckets.ts';
import { VOTERS, findVoter } from './voters.ts';

/**
 * A probe that was still open when the visitor left has not failed, but a line that loses every race is not healthy either.
 */
const OPEN_PART = 0.3;
/**
 * A probe has failed if it was open for two seconds, and for four times as long as the fastest line of the same page took. If a
 * line swallows requests, most visitors leave before the time limit of the probe.
 */
const LATE_MS = 2_000;
const LATE_TIMES = 4;
/** A visitor who left after a second without any answer did not get in: nearly all others have an answer by then. */
const NO_ANSWER_MS = 1_000;

export type CountedReport = Pick<MeasurementReport, 'results' | 'entered' | 'left'> & {
  /** Where the visitor is. */
  readonly area: Area;
  /** The /24 or /48 that the report comes from. */
  readonly prefix: string;
  /** The ids of the ticket: an index of the report is a place in this list. A line may have left the site since then. */
  readonly lineIds: readonly string[];
  /** How long the visitor stayed after they were handed the lines. If it is left out, nobody knows. */
  readonly stayedMs?: number | undefined;
};

type Result = MeasurementReport['results'][number];

/** Counts what one page reported, for the steering and for the console. */
export function countReport(report: CountedReport): Counts {
  const counts = createCounts();
  addReport(counts, report);
  return counts;
}

/** Adds what one page reported to counts. */
export function addReport(counts: Counts, report: CountedReport): void {
  const { area, prefix, lineIds, results, entered, left, stayedMs = 0 } = report;
  const voter = findVoter(prefix, VOTERS.area.count);
  for (const result of results) {
    const id = lineIds[result.index];
    if (id === undefined) continue;
    const outcome = isLate(result, results) ? 'timeout' : result.outcome;
    addObservation(openVoter(counts, area, voter), id, observe(outcome, result.time));
    if (outcome === 'open') continue;
    const tally = openTally(counts, id);
    tally.tried += 1;
    if (outcome !== 'valid') continue;
    tally.reached += 1;
    addCount(tally.times, bucketOf(result.time), 1);
  }
  for (const { index, outcome } of listFairTries(results, stayedMs)) {
    const id = lineIds[index];
    if (id === undefined) continue;
    const tally = openTally(counts, id);
    tally.met += 1;
    if (outcome === 'valid') tally.gotIn += 1;
  }
  counts.site.reports += 1;
  const canGetIn = entered !== null || results.some(({ outcome }) => outcome === 'valid');
  // Others left before they could know.
  if (canGetIn || isStranded(results) || stayedMs >= NO_ANSWER_MS) counts.site.met += 1;
  if (canGetIn) counts.site.gotIn += 1;
  if (isStranded(results) && entered === null) {
    counts.site.stranded += 1;
    addCount(counts.site.strandedByVoter, findVoter(prefix, VOTERS.stranded.count), 1);
  }
  const leftId = left === undefined ? undefined : lineIds[left];
  if (leftId !== undefined) openTally(counts, leftId).moved += 1;
  const id = entered === null ? undefined : lineIds[entered];
  if (id === undefined) return;
  openTally(counts, id).entered += 1;
  counts.site.entered += 1;
  const enteredResult = results.find(({ index, outcome }) => index === entered && outcome === 'valid');
  if (enteredResult) addCount(counts.site.times, bucketOf(enteredResult.time), 1);
}

/** How many probes were left open. It is a whole number, so that all portals have the same sums. */
export function countOpen({ failed, lost }: Pick<Observation, 'failed' | 'lost'>): number {
  return Math.round((failed - lost) / OPEN_PART);
}

/** Whether a probe that was still open when the visitor left counts as failed. */
export function isLate({ outcome, time }: Result, all: readonly Result[]): boolean {
  if (outcome !== 'open') return false;
  const fastest = Math.min(...all.flatMap((other) => (other.outcome === 'valid' ? [other.time] : [])));
  return time >= Math.max(LATE_MS, LATE_TIMES * fastest);
}

/**
 * Lists the tries of a page that say how often visitors get in: those of visitors who stayed so long that an answer and a failure would
 * both be known. Most others enter the first line that answers, and never learn which of the others would not have.
 */
function listFairTries(results: readonly Result[], stayedMs: number): readonly Result[] {
  if (stayedMs < LATE_MS) return [];
  return results.filter((result) => result.outcome !== 'open' || isLate(result, results));
}

/** Whether every probe of a visitor failed. A visitor who left while a probe was open may have got in elsewhere. */
function isStranded(results: readonly Result[]): boolean {
  return results.length > 0 && results.every(({ outcome }) => outcome !== 'valid' && outcome !== 'open');
}

/** What one probe says of its line. */
function observe(outcome: Result['outcome'], time: number): Observation {
  const nothing = { reached: 0, failed: 0, lost: 0, times: 0, sumLnMs: 0 };
  switch (outcome) {
    case 'valid': {
      const lnMs = Math.log(Math.max(SHORTEST_MS, time));
      return { ...nothing, reached: 1, times: 1, sumLnMs: roundToThousandths(lnMs) };
    }
    case 'open':
      return { ...nothing, failed: OPEN_PART, openLnMs: roundToThousandths(Math.log(Math.max(1, time))) };
    case 'timeout':
    case 'unreachable':
    case 'wrong-server':
      return { ...nothing, failed: 1, lost: 1 };
  }
}
