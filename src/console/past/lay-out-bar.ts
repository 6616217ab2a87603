import {
  type ConsoleChange,
  type ConsoleMoments,
  MOMENT_EVERY_MS,
  findMomentAt,
} from '../../contract/moments.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';

/** The 24 hours that the bar shows. The last window ends now. Every earlier one ends one step before the next one begins. */
export type BarWindow = { readonly start: number; readonly end: number };

/** A part of the window. */
export type Stretch = { readonly from: number; readonly to: number };

/** All changes of one step. The most important one gives it its shape. */
export type Mark = {
  readonly at: number;
  readonly kind: MarkKind;
  readonly changes: readonly ConsoleChange[];
};

export type MarkKind = 'published' | 'trouble' | 'well' | 'message';

/** From the most important. */
const MARK_KINDS: readonly MarkKind[] = ['published', 'trouble', 'well', 'message'];
/** Minutes of clocks that may stand at a whole hour: some zones are a quarter of an hour apart. */
const QUARTER_MS = 15 * MINUTE_MS;
const LABEL_HOURS = 3;

/** The end of the bar is now: one step after the last moment that can be kept. */
export function findEnd(now: number): number {
  return findMomentAt(now) + MOMENT_EVERY_MS;
}

/** The window with this time; undefined stands for now. */
export function findWindow(at: number | undefined, end: number): BarWindow {
  const days = at === undefined || at >= end ? 0 : Math.ceil((end - at) / DAY_MS) - 1;
  return {
    start: end - (days + 1) * DAY_MS,
    // Somebody who drags to the end of an earlier day stays in it.
    end: days === 0 ? end : end - days * DAY_MS - MOMENT_EVERY_MS,
  };
}

/** The times of which nothing is kept, up to now. */
export function listGaps(
  { kept, at: now }: Pick<ConsoleMoments, 'kept' | 'at'>,
  window: BarWindow,
): readonly Stretch[] {
  const gaps: Stretch[] = [];
  // What is running now is not kept yet.
  const end = Math.min(window.end, findMomentAt(now));
  let from = window.start;
  for (const [first, last] of kept) {
    if (first > from && from < end) gaps.push({ from, to: Math.min(first, end) });
    from = Math.max(from, last + MOMENT_EVERY_MS);
  }
  if (from < end) gaps.push({ from, to: end });
  return gaps;
}

/** What changed in the window, by its steps. */
export function listMarks(changes: readonly ConsoleChange[], { start, end }: BarWindow): readonly Mark[] {
  const bySteps = new Map<number, ConsoleChange[]>();
  for (const change of changes) {
    const step = findStep(change);
    if (step < start || step > end) continue;
    bySteps.set(step, [...(bySteps.get(step) ?? []), change]);
  }
  return [...bySteps].map(([at, ofStep]) => {
    const kinds = new Set(ofStep.map(findKind));
    return { at, kind: MARK_KINDS.find((kind) => kinds.has(kind)) ?? 'message', changes: ofStep };
  });
}

/** The first moment that shows a change. */
export function findStep({ at }: Pick<ConsoleChange, 'at'>): number {
  return Math.ceil(at / MOMENT_EVERY_MS) * MOMENT_EVERY_MS;
}

export function findKind(change: ConsoleChange): MarkKind {
  switch (change.kind) {
    case 'published':
      return 'published';
    case 'line':
      return change.status === 'down' || change.status === 'degraded' ? 'trouble' : 'well';
    case 'opened':
      return 'trouble';
    case 'closed':
      return 'well';
    case 'told':
    case 'not-told':
      return 'message';
  }
}

/** The newest changes of the hour before a moment, the newest first. */
export function listRecent(changes: readonly ConsoleChange[], at: number): readonly ConsoleChange[] {
  return changes.filter((change) => findStep(change) <= at && change.at > at - HOUR_MS).toReversed();
}

/** The moment of the last change before a time, and that of the first change after it. */
export function findNeighbours(
  changes: readonly ConsoleChange[],
  at: number,
): { readonly before: number | undefined; readonly after: number | undefined } {
  const steps = changes.map(findStep);
  return { before: steps.findLast((step) => step < at), after: steps.find((step) => step > at) };
}

/** The whole hours at which the bar has a label: every third one of the operator's clock. */
export function listTicks(
  { start, end }: BarWindow,
  formatHour: (time: number) => string,
): readonly { readonly at: number; readonly text: string; readonly isMain: boolean }[] {
  const first = Math.ceil(start / QUARTER_MS);
  return Array.from({ length: Math.floor(end / QUARTER_MS) - first + 1 }, (_, index) => {
    const at = (first + index) * QUARTER_MS;
    return { at, text: formatHour(at) };
  }).flatMap(({ at, text }) => {
    // Danes and Finns write 03.00, in English too.
    const [hour = 0, minute] = text.split(/[:.]/).map(Number);
    return minute === 0 && hour % LABEL_HOURS === 0
      ? [{ at, text, isMain: hour % (2 * LABEL_HOURS) === 0 }]
      : [];
  });
}

/** How far a time is from the start of the window, in percent. */
export function percentAt(time: number, { start, end }: BarWindow): number {
  return ((time - start) / (end - start)) * 100;
}

/** Where a key leads: the arrows by five minutes, Page Up and Page Down by an hour, Home and End to the ends of the window. */
export function moveByKey(key: string, at: number, { start, end }: BarWindow): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at - MOMENT_EVERY_MS;
    case 'ArrowRight':
    case 'ArrowUp':
      return at + MOMENT_EVERY_MS;
    case 'PageDown':
      return at - HOUR_MS;
    case 'PageUp':
      return at + HOUR_MS;
    case 'Home':
      return start;
    case 'End':
      return end;
    default:
      return undefined;
  }
}
