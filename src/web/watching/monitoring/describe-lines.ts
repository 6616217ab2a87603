import type { EnteredLine, SeenLines } from '../../../contract/intake-message.ts';
import { FAILED_TIME_MS, UNMEASURED_TIME_MS } from '../../../contract/limits.ts';
import { SPEED_CHECK_PATH } from '../../../contract/paths.ts';
import type { Row } from '../../../engine/board/describe-rows.ts';

/** Describes the line that a visitor enters, for the session record. */
export function describeEnteredLine(row: Row, at: number): EnteredLine {
  return { at, index: row.number, host: row.host ?? '', time: readTime(row) };
}

function readTime({ speed }: Row): number {
  switch (speed.key) {
    case 'measured':
      return speed.ms;
    case 'aboveFiveSeconds':
      return FAILED_TIME_MS;
    case 'testing':
    case 'estimate':
    case 'aboveTwentySeconds':
      return UNMEASURED_TIME_MS;
  }
}

/**
 * Describes what the rows show, for the session record. Rows have their numbers before the monitoring is loaded, so the
 * browser's own timing of the probes tells when the first one had it.
 */
export function describeSeenLines(
  rows: readonly Row[],
  { timeOrigin, getEntriesByType }: ProbeTiming,
): SeenLines {
  const reached = rows.filter(({ speed }) => speed.key === 'measured');
  const probes = reached.map(({ address }) => `${address}${SPEED_CHECK_PATH}`);
  const answeredAt = getEntriesByType('resource')
    .filter(({ name }) => probes.some((probe) => name.startsWith(probe)))
    .map(({ startTime, duration }) => startTime + duration);
  return {
    firstRowAt: answeredAt.length === 0 ? null : Math.round(timeOrigin + Math.min(...answeredAt)),
    reachedLines: reached.length,
    failedLines: rows.filter(({ speed }) => speed.key === 'aboveFiveSeconds').length,
  };
}

/** What the browser knows of the page's requests. */
export type ProbeTiming = {
  readonly timeOrigin: number;
  readonly getEntriesByType: (
    type: 'resource',
  ) => readonly Pick<PerformanceEntry, 'name' | 'startTime' | 'duration'>[];
};
