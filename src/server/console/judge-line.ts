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

/** Fewer tries than this are an accident, not a state. */
const FAIR_TRIES = 5;
/** Under this part of the visitors a line that is up is degraded. */
export const GOOD_REACH = 0.9;

/** Tells the state of a line from what the server and the visitors see of it. */
export function judgeLine({ probe, latest, lately }: LineSigns): LineVerdict {
  if (probe?.isUp === false) return { status: 'down', judgedBy: 'probe' };
  // The shorter time goes first, so that a line that has recovered is told so soon.
  const seen = [latest, lately].find(({ tried }) => tried >= FAIR_TRIES);
  if (seen?.reached === 0) return { status: 'down', judgedBy: 'visitors' };
  if (seen && seen.reached / seen.tried < GOOD_REACH) return { status: 'degraded', judgedBy: 'visitors' };
  if (lately.reached > 0) return { status: 'up', judgedBy: 'visitors' };
  return probe ? { status: 'up', judgedBy: 'probe' } : { status: 'unknown', judgedBy: null };
}
