import type { InConsoleLanguages } from './console-language.ts';
import type { LineStatus } from './console.ts';
import type { Severity } from './incidents.ts';
import { DAY_MS, MINUTE_MS } from './time-units.ts';

/** A moment is what the console showed at one time. One is kept every five minutes, for a week. */
export const MOMENT_EVERY_MS = 5 * MINUTE_MS;
export const MOMENTS_KEPT_MS = 7 * DAY_MS;

/** `GET /api/console/moments`: which moments are kept, and what changed between them. Times are ms since 1970. */
export type ConsoleMoments = {
  readonly at: number;
  /** The first and the last moment of each stretch without a gap, oldest first. */
  readonly kept: readonly (readonly [first: number, last: number])[];
  /** Oldest first. */
  readonly changes: readonly ConsoleChange[];
};

/** Something that changed in the last week. */
export type ConsoleChange = MomentChange | IncidentChange;

/** What differs between a moment and the one before it. */
export type MomentChange =
  | { readonly kind: 'published'; readonly at: number; readonly hash: string }
  | {
      readonly kind: 'line';
      readonly at: number;
      readonly id: string;
      readonly host: string;
      readonly status: LineStatus;
    };

export type IncidentChange = {
  readonly kind: 'opened' | 'closed' | 'told' | 'not-told';
  readonly at: number;
  readonly severity: Severity;
  readonly names: InConsoleLanguages;
  /** The channel that was told, or could not be. */
  readonly channel?: string;
};

/** The last moment that is not after a time. */
export function findMomentAt(time: number): number {
  return Math.floor(time / MOMENT_EVERY_MS) * MOMENT_EVERY_MS;
}

/** Whether a moment of this time is kept. */
export function isKept({ kept }: Pick<ConsoleMoments, 'kept'>, at: number): boolean {
  return kept.some(([first, last]) => first <= at && at <= last);
}
