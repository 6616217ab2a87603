/** Why a line failed: no answer in time, no answer at all, or an answer without the marker. */
export type FailureCause = 'timeout' | 'unreachable' | 'wrong-server';

/** The result of a probe. `time` is in whole ms, or `FAILED_TIME_MS` if it failed. */
export type SpeedResult = {
  readonly host: string;
  readonly time: number;
  readonly cause?: FailureCause;
};
