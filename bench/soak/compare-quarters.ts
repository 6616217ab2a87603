import { median } from '../statistics.ts';

/** By how much the last quarter of a series lies above the second, as a part of it. The first is for warming up. */
export function compareQuarters(series: readonly number[]): number {
  const quarter = Math.floor(series.length / 4);
  const second = median(series.slice(quarter, 2 * quarter));
  return median(series.slice(-quarter)) / second - 1;
}
