/** Why a line failed: no answer in time, no answer at all, or an answer that is not the expected server's. */
export type FailureCause = 'timeout' | 'unreachable' | 'wrong-server';

/** What a probe found out about a host. `time` is in whole ms; `FAILED_TIME_MS` where it failed. */
export type SpeedResult = {
  readonly host: string;
  readonly time: number;
  readonly cause?: FailureCause;
};
