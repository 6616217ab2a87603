import type { EnteredLine } from '../../../contract/intake-message.ts';
import { FAILED_TIME_MS, UNMEASURED_TIME_MS } from '../../../contract/limits.ts';
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
