import { MINUTE_MS } from '../../../contract/time-units.ts';
import type { LineJudge, LineStatus } from '../../../contract/console.ts';
import type { LineState } from '../../lines/line-state.ts';

export type Tally = { readonly tried: number; readonly reached: number };
/** What visitors saw of a line in one minute since 1970. */
export type MinuteTally = Tally & { readonly minute: number };

/** What is known of a line lately. */
export type LineSigns = {
  /** The server's own probe; undefined where it does not look, or has not yet. */
  readonly probe: Pick<LineState, 'condition' | 'recoveredAt' | 'checkedAt'> | undefined;
  /** What visitors saw, minute by minute, oldest first. */
  readonly minutes: readonly MinuteTally[];
  readonly now: number;
};

export type LineVerdict = {
  readonly status: LineStatus;
  readonly judgedBy: LineJudge | null;
};

/** The minutes in which visitors are counted at first. */
const LATEST_MINUTES = 2;
/** The minutes in which visitors are counted if two minutes had too few. */
export const LATELY_MINUTES = 5;
/** If this many visitors tried a line and none reached it, it is down. */
export const FAIR_TRIES = 5;
/** It takes this many visitors to call a line degraded: of fewer, one failure may be an accident. */
export const ENOUGH_TRIES = 10;
/** Under this part of the visitors a line that is up is degraded. */
export const GOOD_REACH = 0.9;

/** Decides the state of a line by what the server and the visitors see of it. The newest observation wins. */
export function judgeLine({ probe, minutes, now }: LineSigns): LineVerdict {
  if (probe?.condition === 'down') return { status: 'down', judgedBy: 'probe' };
  const current = dropOutdated(minutes, probe);
  const thisMinute = Math.floor(now / MINUTE_MS);
  const findSeen = (tries: number): Tally | undefined =>
    [LATEST_MINUTES, LATELY_MINUTES]
      .map((span) => sumTallies(current.filter(({ minute }) => minute > thisMinute - span)))
      .find(({ tried }) => tried >= tries);
  if (findSeen(FAIR_TRIES)?.reached === 0) return { status: 'down', judgedBy: 'visitors' };
  if (probe?.condition === 'degraded') return { status: 'degraded', judgedBy: 'probe' };
  // If a line has recovered, its newest visitors show it, while the older failures still count.
  if (isPoor(findSeen(ENOUGH_TRIES)) && isPoor(findNewest(current, thisMinute))) {
    return { status: 'degraded', judgedBy: 'visitors' };
  }
  const isReached = current.some(
    ({ minute, reached }) => reached > 0 && minute > thisMinute - LATELY_MINUTES,
  );
  if (isReached) return { status: 'up', judgedBy: 'visitors' };
  return probe ? { status: 'up', judgedBy: 'probe' } : { status: 'unknown', judgedBy: null };
}

/** Leaves out what visitors saw before the server's own probe, which is newer, saw the line up. */
function dropOutdated(minutes: readonly MinuteTally[], probe: LineSigns['probe']): readonly MinuteTally[] {
  const tried = minutes.filter((minute) => minute.tried > 0);
  if (probe === undefined) return tried;
  const { recoveredAt = 0, checkedAt } = probe;
  const current = tried.filter(({ minute }) => minute * MINUTE_MS >= recoveredAt);
  const last = current.at(-1);
  // The probe wins only after a minute without visitors. Otherwise a line that fails only for visitors would be up every
  // other moment.
  const isSilent = last !== undefined && checkedAt >= (last.minute + 2) * MINUTE_MS;
  return isSilent ? [] : current;
}

/** The newest minutes that have enough tries together. */
function findNewest(minutes: readonly MinuteTally[], thisMinute: number): Tally | undefined {
  let newest: Tally = { tried: 0, reached: 0 };
  for (const { minute, tried, reached } of minutes.toReversed()) {
    if (minute <= thisMinute - LATELY_MINUTES) return undefined;
    newest = { tried: newest.tried + tried, reached: newest.reached + reached };
    if (newest.tried >= ENOUGH_TRIES) return newest;
  }
  return undefined;
}

function isPoor(tally: Tally | undefined): boolean {
  return tally !== undefined && tally.reached / tally.tried < GOOD_REACH;
}

function sumTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce<Tally>(
    (sum, { tried, reached }) => ({ tried: sum.tried + tried, reached: sum.reached + reached }),
    { tried: 0, reached: 0 },
  );
}
