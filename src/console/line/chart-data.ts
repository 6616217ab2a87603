import { MINUTE_MS } from '../../contract/time-units.ts';
import type { ConsoleHistory, LineStatus, StateRun } from '../../contract/console.ts';
import { type Stretch, listStretches } from '../../contract/list-stretches.ts';

/**
 * The data of a chart for uPlot: the time of each step in seconds, then the values of each series. Unknown values are
 * null.
 */
export type ChartData = readonly [readonly number[], ...(readonly (number | null)[])[]];

/** How far back the charts go, and their steps, in minutes: single minutes have too few visitors for a day's chart. */
export const SPANS = {
  '1h': { minutes: 60, stepMinutes: 2 },
  '6h': { minutes: 360, stepMinutes: 5 },
  '24h': { minutes: 1_440, stepMinutes: 10 },
} as const;

export type Span = keyof typeof SPANS;

/** The minutes since 1970 that the charts show, the last one included. The minute that is not over is left out: few visitors say little. */
export type Frame = { readonly first: number; readonly last: number; readonly stepMinutes: number };

/** A chart of two minutes would be two dots at its edges. */
const LEAST_MINUTES = 10;
export const MINUTE_SECONDS = 60;

/** Finds the shortest span that shows all that was counted. */
export function findSpan(history: ConsoleHistory, now: number): Span {
  const [begin = -Infinity] = history.minute;
  const names = Object.keys(SPANS) as Span[];
  return names.find((name) => frameSpan(name, history, now).first <= begin) ?? '24h';
}

/** Frames a span, from the beginning of a step. It begins where the data does, if that is later. */
export function frameSpan(span: Span, { minute }: ConsoleHistory, now: number): Frame {
  const { minutes, stepMinutes } = SPANS[span];
  const last = Math.floor(now / MINUTE_MS) - 1;
  const earliest = Math.ceil((last - minutes + 1) / stepMinutes);
  const firstKnown = Math.floor(Math.min(minute[0] ?? 0, last - LEAST_MINUTES + 1) / stepMinutes);
  return { first: Math.max(earliest, firstKnown) * stepMinutes, last, stepMinutes };
}

type CountList = 'handedOut' | 'visitors' | 'tried' | 'reached';

/** Lists one count as a part of another, in percent, in the steps of a frame. */
export function listParts(
  history: ConsoleHistory,
  { part, of, frame }: { readonly part: CountList; readonly of: CountList; readonly frame: Frame },
): ChartData {
  const steps = groupMinutes(history, frame);
  const sum = (indices: readonly number[], name: CountList): number =>
    indices.reduce((total, index) => total + (history[name][index] ?? 0), 0);
  return [
    listStarts(frame, steps.length),
    steps.map((indices) => {
      const whole = sum(indices, of);
      return whole === 0 ? null : (100 * sum(indices, part)) / whole;
    }),
  ];
}

/** Lists the quantiles in the steps of a frame. Quantiles cannot be added up: a step has the middle one of its minutes, and of two in the middle the slower one. */
export function listTimes(history: ConsoleHistory, frame: Frame): ChartData {
  const steps = groupMinutes(history, frame);
  const list = (name: 'p50' | 'p95'): (number | null)[] =>
    steps.map((indices) => {
      const known = indices.flatMap((index) => history[name][index] ?? []).toSorted((a, b) => a - b);
      return known[Math.floor(known.length / 2)] ?? null;
    });
  return [listStarts(frame, steps.length), list('p50'), list('p95')];
}

/** The minutes of each step of a frame, by their place in the history. */
function groupMinutes(
  { minute: minutes }: ConsoleHistory,
  { first, last, stepMinutes }: Frame,
): readonly (readonly number[])[] {
  const steps: number[][] = Array.from({ length: Math.ceil((last - first + 1) / stepMinutes) }, () => []);
  for (const [index, minute] of minutes.entries())
    if (minute >= first && minute <= last) steps[Math.floor((minute - first) / stepMinutes)]?.push(index);
  return steps;
}

/** When the steps of a frame begin, in seconds since 1970. */
function listStarts({ first, stepMinutes }: Frame, steps: number): readonly number[] {
  return Array.from({ length: steps }, (_, step) => (first + step * stepMinutes) * MINUTE_SECONDS);
}

/** Whether there is anything to draw. */
export function hasValues([, ...series]: ChartData): boolean {
  return series.some((values) => values.some((value) => value !== null));
}

/** A time in which a line was in trouble, or in maintenance. */
export type Band = Stretch & { readonly status: Exclude<LineStatus, 'up' | 'unknown'> };

/** Lists the bands within a frame, the oldest first. The states end with the minute after the frame, which is not over. */
export function listBands(states: readonly StateRun[], { first, last }: Frame): readonly Band[] {
  const end = last + 1;
  return listStretches(states, end + 1).flatMap(({ status, from, until }): readonly Band[] => {
    if (status === 'up' || status === 'unknown' || until <= first || from >= end) return [];
    return [{ status, from: Math.max(from, first), until: Math.min(until, end) }];
  });
}
