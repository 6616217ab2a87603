import { FAILED_TIME_MS, UNMEASURED_TIME_MS } from '../../contract/limits.ts';
import type { FailureCause, SpeedResult } from '../../contract/api/speed-result.ts';
import type { RowLine } from './assign-rows.ts';
import { type SpeedText, describeSpeed } from './describe-speed.ts';

/** What is known of one row. */
export type RowState = {
  readonly line: RowLine | undefined;
  readonly result: SpeedResult | undefined;
  /** When the first probe of this run left. */
  readonly probedAt: number | undefined;
};

/** What one row shows. */
export type Row = {
  /** From 1 to 4. */
  readonly number: number;
  readonly host: string | undefined;
  /** Where the row leads; undefined while that is not known. */
  readonly address: string | undefined;
  /** True for a fallback host in the place of a listed one. */
  readonly isBackup: boolean;
  readonly speed: SpeedText;
  /** Of a failed row. */
  readonly cause: FailureCause | undefined;
  /** True for the smallest measured time of the four. */
  readonly isFastest: boolean;
};

/** Says what the rows show. A row that shows what it showed before keeps its identity. */
export function describeRows(
  states: readonly RowState[],
  { isLoading, now, before }: { isLoading: boolean; now: number; before: readonly Row[] },
): readonly Row[] {
  const times = states.map(({ result }) => result?.time ?? FAILED_TIME_MS);
  const bestMs = Math.min(...times);
  const fastest = bestMs < FAILED_TIME_MS ? times.indexOf(bestMs) : -1;
  return states.map(({ line, result, probedAt }, index) => {
    const row: Row = {
      number: index + 1,
      host: line?.line.host,
      address: line?.line.address,
      isBackup: line?.isBackup ?? false,
      speed: describeSpeed({
        timeMs: result?.time ?? UNMEASURED_TIME_MS,
        // A row that no probe has left for, in a tab that was never seen, has no estimate either.
        isLoading: isLoading || probedAt === undefined,
        elapsedMs: probedAt === undefined ? 0 : now - probedAt,
      }),
      cause: result?.cause,
      isFastest: index === fastest,
    };
    const last = before[index] ?? row;
    return JSON.stringify(last) === JSON.stringify(row) ? last : row;
  });
}
