import type { History } from '../measurements/history.ts';
import { GOOD_REACH, type LineVerdict, type Tally } from './judge-line.ts';

export type SinceDeps = {
  readonly history: Pick<History, 'walkBack'>;
  /** The server's own look at the line. */
  readonly probe: { readonly since: number } | undefined;
  readonly now: number;
};

const MINUTE_MS = 60_000;
/** A minute with fewer tries says nothing. */
const MIN_TRIES = 4;

/** Since when a line has had its state, in ms: to the minute where the visitors tell; undefined where nothing does. */
export function findStatusSince(
  lineId: string,
  { status, judgedBy }: LineVerdict,
  { history, probe, now }: SinceDeps,
): number | undefined {
  if (status === 'unknown') return undefined;
  if (status !== 'up') return judgedBy === 'probe' ? probe?.since : findTroubleStart(lineId, history, now);
  const trouble = findTroubleEnd(lineId, history, now);
  const known = [trouble.endedAt, probe?.since].filter((time) => time !== undefined);
  return known.length > 0 ? Math.max(...known) : trouble.firstTriedAt;
}

/** The first of the bad minutes in a row that have lasted until now. */
function findTroubleStart(lineId: string, history: SinceDeps['history'], now: number): number | undefined {
  let start: number | undefined;
  history.walkBack(lineId, now, (minute, tally) => {
    if (tally.tried < MIN_TRIES) return true;
    if (!isBad(tally)) return start === undefined;
    start = minute * MINUTE_MS;
    return true;
  });
  return start;
}

/** The end of the last bad minute, or, where there is none, the first minute that is known. */
function findTroubleEnd(
  lineId: string,
  history: SinceDeps['history'],
  now: number,
): { readonly endedAt: number | undefined; readonly firstTriedAt: number | undefined } {
  let endedAt: number | undefined;
  let firstTriedAt: number | undefined;
  history.walkBack(lineId, now, (minute, tally) => {
    firstTriedAt = minute * MINUTE_MS;
    if (tally.tried >= MIN_TRIES && isBad(tally)) endedAt = (minute + 1) * MINUTE_MS;
    return endedAt === undefined;
  });
  return { endedAt, firstTriedAt };
}

function isBad({ tried, reached }: Tally): boolean {
  return reached / tried < GOOD_REACH;
}
