/**
 * Page's cumulative sum (CUSUM). Each failure and each success adds how much likelier it is where a line is lost than where it is
 * not. The sum never falls under 0, so that a good past does not hide a bad present.
 */
export type Cusum = {
  /** The part of the tries that fail where a line is well, and where it is lost. */
  readonly normal: number;
  readonly lost: number;
  /** From this sum on, the line is lost. */
  readonly lostAt: number;
  /** The sum grows no further, or a line that was lost for hours would be lost for hours after it has come back. */
  readonly most: number;
};

/** What one failure adds to the sum of a place. */
export const PLACE_FAILURE = Math.log(0.9 / 0.03);

/**
 * All visitors of a place lose the line. Four failures in a row are enough, or five with a success between them: where 1.5 tries
 * in 100 fail, that happens by chance once in nineteen million tries.
 */
export const WHOLE_PLACE: Cusum = {
  normal: 0.03,
  lost: 0.9,
  lostAt: 3.5 * PLACE_FAILURE,
  most: 5 * PLACE_FAILURE,
};

/** Some visitors of several networks lose the line, five times as many as is normal. By chance: once in three million tries. */
export const SOME_VISITORS: Cusum = { normal: 0.015, lost: 0.075, lostAt: 15, most: 20 };

/** Adds tries to a sum. Their order within a window is not known, so they are added at once. */
export function addTries(
  sum: number,
  { failures, successes }: { readonly failures: number; readonly successes: number },
  { normal, lost, most }: Cusum,
): number {
  const added = failures * Math.log(lost / normal) + successes * Math.log((1 - lost) / (1 - normal));
  return Math.min(most, Math.max(0, sum + added));
}
