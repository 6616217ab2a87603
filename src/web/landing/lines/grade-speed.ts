import { SPEED_CHECK_TIMEOUT_MS } from '../../../contract/limits.ts';
import type { SpeedText } from '../../../engine/board/describe-speed.ts';

/** `pending`: there is no result yet. */
export type Grade = 'pending' | 'fast' | 'fair' | 'slow' | 'failed';

/** Up to this time a page opens at once. */
const FAST_MS = 200;
/** Up to this time it is still pleasant. */
const FAIR_MS = 600;
/** A bar is full at this speed, and empty at the timeout. */
const FULL_MS = 20;

/** Grades a speed, for visitors who do not want to compare numbers. */
export function gradeSpeed(speed: SpeedText): Grade {
  switch (speed.key) {
    case 'testing':
    case 'estimate':
      return 'pending';
    case 'aboveFiveSeconds':
    case 'aboveTwentySeconds':
      return 'failed';
    case 'measured':
      if (speed.ms <= FAST_MS) return 'fast';
      return speed.ms <= FAIR_MS ? 'fair' : 'slow';
  }
}

/**
 * Computes how far a bar is filled, from 0 to 1. The scale is logarithmic: 30 and 60 ms are as far apart as 1 and 2 s.
 */
export function fillOf(ms: number): number {
  const emptied = Math.log(Math.max(ms, FULL_MS) / FULL_MS) / Math.log(SPEED_CHECK_TIMEOUT_MS / FULL_MS);
  return Math.round(Math.max(0.04, 1 - emptied) * 100) / 100;
}
