import { HOUR_MINUTES, MINUTE_MS } from '../../../contract/time-units.ts';
import type { MinuteValues } from '../../../contract/console.ts';

/** The first minute of the hour that ends now. */
export function firstMinuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS) - HOUR_MINUTES + 1;
}

/** What was counted in these minutes together; null where nothing was. */
export function addUp<M>(minutes: readonly M[], countOf: (minute: M) => number): number | null {
  return minutes.length === 0 ? null : minutes.reduce((sum, minute) => sum + countOf(minute), 0);
}

/** One value for each minute of the hour, null where nothing is known of it. */
export function listByMinute<M extends { readonly minute: number }>(
  minutes: readonly M[],
  now: number,
  valueOf: (minute: M) => number | null | undefined,
): MinuteValues {
  const first = firstMinuteOf(now);
  const values: (number | null)[] = Array.from({ length: HOUR_MINUTES }, () => null);
  for (const each of minutes) {
    const index = each.minute - first;
    if (index >= 0 && index < HOUR_MINUTES) values[index] = valueOf(each) ?? null;
  }
  return values;
}

/** A part in percent with one digit; null where there is nothing that it could be a part of. */
export function toPercent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1_000) / 10;
}
