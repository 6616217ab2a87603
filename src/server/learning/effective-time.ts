/** A line that every second visitor cannot reach counts as eight times as slow: a failed probe costs far more than time. */
const REACH_POWER = 3;
/** A line may have twice its part of the visitors; from 1.4 times on it looks slower, and steeply so. */
const SHARE_LIMIT = 2;
const SHARE_EASE = 0.7;
const LOAD_POWER = 12;

/** The logarithm of a line's effective time: of its time, lengthened by those who do not reach it and by its load. */
export function lnEffectiveMs(lnMs: number, reach: number, load: number): number {
  return lnMs - REACH_POWER * Math.log(reach) + load;
}

/** By how much likelier the faster of two lines is to be entered: twice as fast, 32 times as likely. */
const ODDS_POWER = 5;

/** How likely a line is to win against others in the same race, beside theirs: by its time, and whether it is reached. */
export function findOdds({ reach, lnMs }: { readonly reach: number; readonly lnMs: number }): number {
  return reach * Math.exp(-ODDS_POWER * lnMs);
}

/** By how much the load of each line lengthens its time, as a logarithm: by nothing, until it has more than its part. */
export function findLoads(shares: Float64Array, weights: Float64Array): Float64Array {
  return shares.map((share, line) => {
    const eased = SHARE_EASE * SHARE_LIMIT * (weights[line] ?? 0);
    return LOAD_POWER * Math.log(Math.max(1, share / eased));
  });
}
