import type { MinuteValues } from '../../../contract/console.ts';
import type { HistoryStep } from '../../learning/history.ts';

export const HOUR_MINUTES = 60;
const MINUTE_MS = 60_000;

export type Sums = { readonly handedOut: number; readonly tried: number; readonly reached: number };

/** The first minute of the hour that ends now. */
export function firstMinuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS) - HOUR_MINUTES + 1;
}

/** What was counted in these minutes together; undefined where nothing was. */
export function addUpSteps(steps: readonly HistoryStep[]): Sums | undefined {
  if (steps.length === 0) return undefined;
  let [handedOut, tried, reached] = [0, 0, 0];
  for (const step of steps) {
    handedOut += step.handedOut;
    tried += step.tried;
    reached += step.reached;
  }
  return { handedOut, tried, reached };
}

/** One value for each minute of the hour, null where nothing is known of it. */
export function listByMinute(
  steps: readonly HistoryStep[],
  now: number,
  valueOf: (step: HistoryStep) => number | undefined,
): MinuteValues {
  const first = firstMinuteOf(now);
  const values: (number | null)[] = Array.from({ length: HOUR_MINUTES }, () => null);
  for (const step of steps) {
    const index = step.minute - first;
    if (index >= 0 && index < HOUR_MINUTES) values[index] = valueOf(step) ?? null;
  }
  return values;
}

/** The part that got through, in percent with one digit; undefined where nobody tried. */
export function percentReached({
  tried,
  reached,
}: Pick<HistoryStep, 'tried' | 'reached'>): number | undefined {
  return tried === 0 ? undefined : Math.round((reached / tried) * 1_000) / 10;
}
