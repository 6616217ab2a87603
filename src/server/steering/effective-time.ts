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

/** By how much the load of each line lengthens its time, as a logarithm: by nothing, until it has more than its part. */
export function findLoads(shares: Float64Array, weights: Float64Array): Float64Array {
  return shares.map((share, line) => {
    const eased = SHARE_EASE * SHARE_LIMIT * (weights[line] ?? 0);
    return LOAD_POWER * Math.log(Math.max(1, share / eased));
  });
}
