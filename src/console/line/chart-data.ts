import { MINUTE_MS } from '../../contract/time-units.ts';
import type { ConsoleHistory } from '../../contract/console.ts';

/**
 * The data of a chart for uPlot: the time of each step in seconds, then the values of each series. Unknown values are
 * null.
 */
export type ChartData = readonly [readonly number[], ...(readonly (number | null)[])[]];

const DAY_MINUTES = 24 * 60;
const MINUTE_SECONDS = 60;
/** Single minutes have too few visitors for a useful percentage. */
const STEP_MINUTES = 5;

type CountList = 'handedOut' | 'visitors' | 'tried' | 'reached';

/** Lists one count as a part of another, in percent, in steps of five minutes over the last 24 hours. */
export function listParts(
  history: ConsoleHistory,
  { part, of, now }: { readonly part: CountList; readonly of: CountList; readonly now: number },
): ChartData {
  const last = Math.floor(now / MINUTE_MS / STEP_MINUTES);
  const first = last - DAY_MINUTES / STEP_MINUTES + 1;
  const steps = last - first + 1;
  const parts = new Float64Array(steps);
  const wholes = new Float64Array(steps);
  for (const [index, minute] of history.minute.entries()) {
    const step = Math.floor(minute / STEP_MINUTES) - first;
    if (step < 0 || step >= steps) continue;
    parts[step] = (parts[step] ?? 0) + (history[part][index] ?? 0);
    wholes[step] = (wholes[step] ?? 0) + (history[of][index] ?? 0);
  }
  return [
    Array.from({ length: steps }, (_, step) => (first + step) * STEP_MINUTES * MINUTE_SECONDS),
    Array.from(wholes, (whole, step) => (whole === 0 ? null : (100 * (parts[step] ?? 0)) / whole)),
  ];
}

/** Lists the quantiles of every minute of the last 24 hours. Quantiles cannot be added up to longer steps. */
export function listTimes(history: ConsoleHistory, now: number): ChartData {
  const first = Math.floor(now / MINUTE_MS) - DAY_MINUTES + 1;
  const empty = (): (number | null)[] => Array.from({ length: DAY_MINUTES }, () => null);
  const [p50, p95] = [empty(), empty()];
  for (const [index, minute] of history.minute.entries()) {
    if (minute < first || minute >= first + DAY_MINUTES) continue;
    p50[minute - first] = history.p50[index] ?? null;
    p95[minute - first] = history.p95[index] ?? null;
  }
  return [Array.from({ length: DAY_MINUTES }, (_, minute) => (first + minute) * MINUTE_SECONDS), p50, p95];
}

/** Whether there is anything to draw. */
export function hasValues([, ...series]: ChartData): boolean {
  return series.some((values) => values.some((value) => value !== null));
}
