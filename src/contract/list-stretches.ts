import type { LineStatus, StateRun } from './console.ts';

/** Minutes since 1970 in which a line had one state; `until` is the minute after the last. */
export type Stretch = { readonly status: LineStatus; readonly from: number; readonly until: number };

/** Says when each of some runs was, the oldest first. Together they end before the minute `end`. */
export function listStretches(runs: readonly StateRun[], end: number): readonly Stretch[] {
  let from = end - runs.reduce((sum, { minutes }) => sum + minutes, 0);
  return runs.map(({ status, minutes }) => {
    const until = from + minutes;
    const stretch = { status, from, until };
    from = until;
    return stretch;
  });
}
