import type { History } from '../measurements/history.ts';
import { ENOUGH_TRIES, GOOD_REACH, type LineVerdict, type Tally } from './judge-line.ts';

export type SinceDeps = {
  readonly history: Pick<History, 'walkBack'>;
  /** The server's own look at the line. */
  readonly probe: { readonly since: number } | undefined;
  readonly now: number;
};

const MINUTE_MS = 60_000;
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

/** The first of the bad stretches in a row that have lasted until now. */
function findTroubleStart(lineId: string, history: SinceDeps['history'], now: number): number | undefined {
  let start: number | undefined;
  walkStretches(lineId, history, now, ({ firstMinute, tried, reached }) => {
    if (reached / tried >= GOOD_REACH) return start === undefined;
    start = firstMinute * MINUTE_MS;
    return true;
  });
  return start;
}

/** The end of the last bad stretch, or, where there is none, the first minute that is known. */
function findTroubleEnd(
  lineId: string,
  history: SinceDeps['history'],
  now: number,
): { readonly endedAt: number | undefined; readonly firstTriedAt: number | undefined } {
  let endedAt: number | undefined;
  const firstMinute = walkStretches(lineId, history, now, ({ lastMinute, tried, reached }) => {
    if (reached / tried < GOOD_REACH) endedAt = (lastMinute + 1) * MINUTE_MS;
    return endedAt === undefined;
  });
  return { endedAt, firstTriedAt: firstMinute === undefined ? undefined : firstMinute * MINUTE_MS };
}

/** Minutes in a row that have enough tries together to be judged. */
type Stretch = Tally & { readonly firstMinute: number; readonly lastMinute: number };

/** Goes back in time, stretch by stretch, for as long as the visitor returns true. Returns the last minute it came to. */
function walkStretches(
  lineId: string,
  history: SinceDeps['history'],
  now: number,
  visit: (stretch: Stretch) => boolean,
): number | undefined {
  let open: Stretch | undefined;
  let reachedMinute: number | undefined;
  history.walkBack(lineId, now, (minute, { tried, reached }) => {
    reachedMinute = minute;
    const stretch: Stretch = {
      firstMinute: minute,
      lastMinute: open?.lastMinute ?? minute,
      tried: tried + (open?.tried ?? 0),
      reached: reached + (open?.reached ?? 0),
    };
    const isWhole = stretch.tried >= ENOUGH_TRIES;
    open = isWhole ? undefined : stretch;
    return !isWhole || visit(stretch);
  });
  return reachedMinute;
}
