import { FAILED_TIME_MS, UNMEASURED_TIME_MS } from '../../contract/limits.ts';
import type { FailureCause, SpeedResult } from '../../contract/api/speed-result.ts';
import type { RowLine } from './assign-rows.ts';
import { type SpeedText, describeSpeed } from './describe-speed.ts';

/** What is known of one row. */
export type RowState = {
  readonly line: RowLine | undefined;
  readonly result?: SpeedResult | undefined;
  /** When the first probe of this run left. */
  readonly probedAt?: number | undefined;
  /**
   * True if somebody else may answer at this address: from a failed probe until its result, and after the result `wrong-server`
   * until the next result.
   */
  readonly isInDoubt?: boolean | undefined;
};

/** What one row shows. */
export type Row = {
  /** From 1 to 4. */
  readonly number: number;
  readonly host: string | undefined;
  /** Where the row leads; undefined while that is not known. */
  readonly address: string | undefined;
  /** True for a fallback host. */
  readonly isBackup: boolean;
  readonly speed: SpeedText;
  /** Why the row failed. */
  readonly cause: FailureCause | undefined;
  /** True while it is not clear whether somebody else answers there. While it is true, the row has no link. */
  readonly isInDoubt?: boolean | undefined;
  /** True for the row with the smallest measured time. */
  readonly isFastest: boolean;
};

/**
 * Describes what the rows show. A row that did not change stays the same object, so that React does not render it
 * again.
 */
export function describeRows(
  states: readonly RowState[],
  { isLoading, now, before }: { isLoading: boolean; now: number; before: readonly Row[] },
): readonly Row[] {
  const times = states.map(({ result }) => result?.time ?? FAILED_TIME_MS);
  const bestMs = Math.min(...times);
  const fastest = bestMs < FAILED_TIME_MS ? times.indexOf(bestMs) : -1;
  return states.map(({ line, result, probedAt, isInDoubt }, index) => {
    const row: Row = {
      number: index + 1,
      host: line?.host,
      address: line?.address,
      isBackup: line?.isBackup ?? false,
      speed: describeSpeed({
        timeMs: result?.time ?? UNMEASURED_TIME_MS,
        // A tab that was never seen has sent no probe, so there is no time to estimate from.
        isLoading: isLoading || probedAt === undefined,
        elapsedMs: probedAt === undefined ? 0 : now - probedAt,
      }),
      cause: result?.cause,
      isInDoubt,
      isFastest: index === fastest,
    };
    const last = before[index] ?? row;
    return JSON.stringify(last) === JSON.stringify(row) ? last : row;
  });
}
