import type { LineStatus } from '../../contract/console.ts';

export type Tally = { readonly tried: number; readonly reached: number };

/** What is known of a line lately. */
export type LineSigns = {
  /** The server's own probe; undefined where it does not look, or has not yet. */
  readonly probe: { readonly isUp: boolean } | undefined;
  /** What visitors saw in the last two minutes … */
  readonly latest: Tally;
  /** … and in the last five. */
  readonly lately: Tally;
};

export type LineVerdict = {
  readonly status: LineStatus;
  readonly judgedBy: 'probe' | 'visitors' | null;
};

/** If not one of so many reached it, it is down … */
const FAIR_TRIES = 5;
/** … but of so few, one who does not is an accident: it takes more to tell that it is degraded. */
export const ENOUGH_TRIES = 10;
/** Under this part of the visitors a line that is up is degraded. */
export const GOOD_REACH = 0.9;

/** Tells the state of a line from what the server and the visitors see of it. */
export function judgeLine({ probe, latest, lately }: LineSigns): LineVerdict {
  if (probe?.isUp === false) return { status: 'down', judgedBy: 'probe' };
  // The shorter time goes first, so that a line that has recovered is told so soon.
  const findSeen = (tries: number): Tally | undefined => [latest, lately].find(({ tried }) => tried >= tries);
  if (findSeen(FAIR_TRIES)?.reached === 0) return { status: 'down', judgedBy: 'visitors' };
  const seen = findSeen(ENOUGH_TRIES);
  if (seen && seen.reached / seen.tried < GOOD_REACH) return { status: 'degraded', judgedBy: 'visitors' };
  if (lately.reached > 0) return { status: 'up', judgedBy: 'visitors' };
  return probe ? { status: 'up', judgedBy: 'probe' } : { status: 'unknown', judgedBy: null };
}
