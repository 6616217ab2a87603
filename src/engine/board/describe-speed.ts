import { ESTIMATE_LIMIT_MS, FAILED_TIME_MS, UNMEASURED_TIME_MS } from '../../contract/limits.ts';

/** The speed text of a row: its key, and the number in it. */
export type SpeedText =
  | { readonly key: 'testing' }
  | { readonly key: 'measured'; readonly ms: number }
  /** The ms since the first probe. The page marks it as an estimate. */
  | { readonly key: 'estimate'; readonly ms: number }
  | { readonly key: 'aboveFiveSeconds' }
  | { readonly key: 'aboveTwentySeconds' };

export type SpeedState = {
  /** Zero while there is no result. */
  readonly timeMs: number;
  readonly isLoading: boolean;
  /** Ms since the row's first probe. */
  readonly elapsedMs: number;
};

/** Chooses the speed text of a row. */
export function describeSpeed({ timeMs, isLoading, elapsedMs }: SpeedState): SpeedText {
  if (timeMs === FAILED_TIME_MS) return { key: 'aboveFiveSeconds' };
  if (timeMs > UNMEASURED_TIME_MS) return { key: 'measured', ms: timeMs };
  if (isLoading) return { key: 'testing' };
  if (elapsedMs >= ESTIMATE_LIMIT_MS) return { key: 'aboveTwentySeconds' };
  return { key: 'estimate', ms: Math.max(1, Math.round(elapsedMs)) };
}
