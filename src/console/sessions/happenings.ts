import type { ViewSummary } from '../../contract/recordings.ts';

export type HappeningKind = 'opened' | 'first-row' | 'entered' | 'error' | 'click';

/** Something that happened in a view, for strips and timelines. */
export type Happening = {
  readonly kind: HappeningKind;
  /** Ms since 1970. */
  readonly at: number;
  /** The line that was entered, or the message of an error. */
  readonly detail?: string;
  /** The stack of an error. */
  readonly stack?: string;
  /** What the page had measured of a line that was entered. */
  readonly timeMs?: number;
};

/** Lists what is known of a view, in order. */
export function listHappenings({ openedAt, firstRowAt, entered, errors }: ViewSummary): readonly Happening[] {
  const happenings: readonly Happening[] = [
    { kind: 'opened', at: openedAt },
    ...(firstRowAt === null ? [] : [{ kind: 'first-row', at: firstRowAt } as const]),
    ...entered.map(({ at, host, time }) => ({ kind: 'entered', at, detail: host, timeMs: time }) as const),
    ...errors.map(
      ({ at, message, stack }) =>
        ({ kind: 'error', at, detail: message, ...(stack === undefined ? {} : { stack }) }) as const,
    ),
  ];
  return happenings.toSorted((a, b) => a.at - b.at);
}

/** Gives each a stable key. */
export function nameHappenings(
  happenings: readonly Happening[],
): readonly (readonly [name: string, happening: Happening])[] {
  const counts = new Map<string, number>();
  return happenings.map((happening) => {
    const { kind, at, detail } = happening;
    const name = `${kind} ${at} ${detail}`;
    // A page can fail in the same way twice in a millisecond.
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [`${name} ${count}`, happening] as const;
  });
}

/** Writes how long something took: "0.4 s", "12 s", "3:05 min". */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${formatPosition(whole * 1_000)} min`;
}

/** Writes a place in a replay, rounded as the duration of a session is: "3:05". */
export function formatPosition(ms: number): string {
  const seconds = Math.round(Math.max(0, ms) / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
