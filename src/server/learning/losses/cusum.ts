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

/** Some visitors of several networks lose the line: five times the normal part. By chance that happens once in three million tries. */
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

/**
 * The same sum for times. Each time adds how much likelier it is if the line has become slow. The logarithms of times have a normal
 * distribution.
 */
export type TimesCusum = {
  /** The time of a line as a multiple of what it was before: of a line that is well at most, and of one that is slow. */
  readonly normal: number;
  readonly slow: number;
  /** The spread of the logarithms. */
  readonly spread: number;
  /** No time counts as a larger multiple, so that a few stalled visitors are not a slow line. */
  readonly mostTimes: number;
  readonly slowAt: number;
  readonly most: number;
};

/**
 * A slow line takes three times as long as before. The sum grows from 2.1 times on, and eight answers that take three times as long are
 * enough. A line that takes twice as long never gets there.
 */
export const SLOW_LINE: TimesCusum = {
  normal: 1.5,
  slow: 3,
  spread: 0.4,
  mostTimes: 4,
  slowAt: 12,
  most: 16,
};

/** Adds times to a sum. `meanLn` is the mean of the logarithms of their multiples. */
export function addTimes(
  sum: number,
  { times, meanLn }: { readonly times: number; readonly meanLn: number },
  { normal, slow, spread, mostTimes, most }: TimesCusum,
): number {
  const ln = Math.min(Math.log(mostTimes), Math.max(-Math.log(mostTimes), meanLn));
  const added = (Math.log(slow / normal) / spread ** 2) * (ln - Math.log(slow * normal) / 2);
  return Math.min(most, Math.max(0, sum + times * added));
}

/** The same sum for the number of visitors. Each minute adds how much likelier its number is if most visitors are lost. */
export type CallsCusum = {
  /** The part of the expected visitors who come on a quiet day, and if most of them are lost. */
  readonly quiet: number;
  readonly missing: number;
  readonly missingAt: number;
  readonly most: number;
  /** No minute adds more: on a large site one minute would be enough, although the number of visitors varies more than by chance. */
  readonly mostOfMinute: number;
};

/** The sum grows while fewer than 25 % of the expected visitors come. If nobody comes, four minutes are enough where many are expected. */
export const MISSING_VISITORS: CallsCusum = {
  quiet: 0.5,
  missing: 0.1,
  missingAt: 12,
  most: 16,
  mostOfMinute: 3,
};

/** Adds the visitors of some minutes to a sum. */
export function addCalls(
  sum: number,
  { seen, expected, minutes }: { readonly seen: number; readonly expected: number; readonly minutes: number },
  { quiet, missing, most, mostOfMinute }: CallsCusum,
): number {
  const added = seen * Math.log(missing / quiet) + expected * (quiet - missing);
  return Math.min(most, Math.max(0, sum + Math.min(added, mostOfMinute * minutes)));
}
