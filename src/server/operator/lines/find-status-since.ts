import { MINUTE_MS } from '../../../contract/time-units.ts';
import type { History } from '../../learning/create-history.ts';
import type { LineState } from '../../lines/line-state.ts';
import {
  ENOUGH_TRIES,
  FAIR_TRIES,
  GOOD_REACH,
  LATELY_MINUTES,
  type LineVerdict,
  type Tally,
} from './judge-line.ts';

export type SinceDeps = {
  readonly history: Pick<History, 'walkBack'>;
  /** The server's own look at the line. */
  readonly probe: Pick<LineState, 'since' | 'recoveredAt'> | undefined;
  /** When this server started, in ms since 1970. */
  readonly startedAt: number;
  readonly now: number;
};

/**
 * Since when a line has had its state, in ms: to the minute if visitors saw it; undefined if nobody did. It is never before
 * the first observation.
 */
export function findStatusSince(
  lineId: string,
  { status, judgedBy }: LineVerdict,
  deps: SinceDeps,
): number | undefined {
  const { probe, startedAt, now } = deps;
  // A maintenance says itself when it began.
  if (status === 'unknown' || status === 'maintenance') return undefined;
  if (status !== 'up' && judgedBy !== 'visitors') return probe?.since;
  const since = findSinceByVisitors(lineId, status, deps);
  if (since === undefined) return undefined;
  // Minutes are whole, but the server may have started in the middle of this one.
  const startsWithServer = Math.floor(startedAt / MINUTE_MS) === Math.floor(since / MINUTE_MS);
  return Math.min(now, startsWithServer ? Math.max(since, startedAt) : since);
}

function findSinceByVisitors(
  lineId: string,
  status: 'up' | 'degraded' | 'down',
  deps: SinceDeps,
): number | undefined {
  switch (status) {
    case 'down':
      return findDownStart(lineId, deps);
    case 'degraded':
      return findPoorStart(listStretches(lineId, deps));
    case 'up':
      return findUpSince(listStretches(lineId, deps), deps.probe);
  }
}

/** The first of the minutes until now in which nobody reached it. */
function findDownStart(lineId: string, { history, probe, now }: SinceDeps): number | undefined {
  let start: number | undefined;
  history.walkBack(lineId, now, (minute, { reached }) => {
    const isNext = start === undefined || start - minute < LATELY_MINUTES;
    if (reached > 0 || !isNext || isBeforeRecovery(minute, probe)) return false;
    start = minute;
    return true;
  });
  return start === undefined ? undefined : start * MINUTE_MS;
}

/** What visitors saw before the server saw the line come back does not count. */
function isBeforeRecovery(minute: number, probe: SinceDeps['probe']): boolean {
  return minute * MINUTE_MS < (probe?.recoveredAt ?? 0);
}

/** Minutes in a row, none of them far from the next, that have enough tries together to be judged. */
type Stretch = Tally & {
  readonly firstMinute: number;
  readonly lastMinute: number;
  readonly firstFailedMinute: number | undefined;
  readonly lastFailedMinute: number | undefined;
};

/** The first failure of the bad stretches in a row that have lasted until now. */
function findPoorStart(stretches: readonly Stretch[]): number | undefined {
  let start: Stretch | undefined;
  for (const stretch of stretches) {
    // Nobody knows how the line was while nobody tried it.
    const isNext = start === undefined || start.firstMinute - stretch.lastMinute < LATELY_MINUTES;
    if (!isBad(stretch) || !isNext) break;
    start = stretch;
  }
  return start?.firstFailedMinute === undefined ? undefined : start.firstFailedMinute * MINUTE_MS;
}

/** The end of the last trouble, or, where there was none, since when it is known. */
function findUpSince(stretches: readonly Stretch[], probe: SinceDeps['probe']): number | undefined {
  const lastFailedMinute = stretches.find(isBad)?.lastFailedMinute;
  const endedAt = lastFailedMinute === undefined ? undefined : (lastFailedMinute + 1) * MINUTE_MS;
  const known = [endedAt, probe?.since].filter((time) => time !== undefined);
  if (known.length > 0) return Math.max(...known);
  const firstMinute = stretches.at(-1)?.firstMinute;
  return firstMinute === undefined ? undefined : firstMinute * MINUTE_MS;
}

function isBad({ tried, reached }: Stretch): boolean {
  if (tried >= ENOUGH_TRIES) return reached / tried < GOOD_REACH;
  return tried >= FAIR_TRIES && reached === 0;
}

/** The tries of the last day as stretches, newest first. Each spans no more minutes than are judged together. */
function listStretches(lineId: string, { history, probe, now }: SinceDeps): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let open: Stretch | undefined;
  history.walkBack(lineId, now, (minute, { tried, reached }) => {
    if (isBeforeRecovery(minute, probe)) return false;
    if (open !== undefined && (open.tried >= ENOUGH_TRIES || open.lastMinute - minute >= LATELY_MINUTES)) {
      stretches.push(open);
      open = undefined;
    }
    const hasFailed = tried > reached;
    open = {
      firstMinute: minute,
      lastMinute: open?.lastMinute ?? minute,
      tried: tried + (open?.tried ?? 0),
      reached: reached + (open?.reached ?? 0),
      firstFailedMinute: hasFailed ? minute : open?.firstFailedMinute,
      lastFailedMinute: open?.lastFailedMinute ?? (hasFailed ? minute : undefined),
    };
    return true;
  });
  return open === undefined ? stretches : [...stretches, open];
}
