import { randomUUID } from 'node:crypto';
import type { ClosedCounts } from './create-visit-counter.ts';
import { addCounts, countCells, splitCounts } from './counts.ts';
import type { WindowPart } from './open-window-log.ts';

/** What this portal has counted in a window that is over. */
export type OwnPart = WindowPart & {
  /** Parts are numbered in the order in which they are written. */
  readonly number: number;
  readonly at: number;
};

/** What was counted, and is not in the database yet. */
export type PartQueue = {
  /** False if too much waits already: then these counts are lost. */
  readonly add: (closed: ClosedCounts) => boolean;
  /** All that waits, the oldest first. */
  readonly list: () => readonly ClosedCounts[];
  /** The part to write next. It stays the same until it is written, because its answer may be lost. */
  readonly next: () => OwnPart | undefined;
  readonly removeNext: () => void;
};

/** About 400 KB of JSON, so that each call is short. */
const MAX_PART_CELLS = 5_000;

/** Adds up what waits while the database is away, and divides it into parts when it is back. */
export function createPartQueue(maxCells: number): PartQueue {
  // These have numbers, and the first one may be on its way.
  const parts: OwnPart[] = [];
  // This is added to until its turn.
  let growing: { at: number; counts: ClosedCounts['counts'] } | undefined;
  let lastNumber = 0;

  return {
    add: ({ counts, at }) => {
      if (growing === undefined) growing = { at, counts };
      else if (countCells(growing.counts) >= maxCells) return false;
      else {
        addCounts(growing.counts, counts);
        growing.at = at;
      }
      return true;
    },
    list: () => (growing === undefined ? parts : [...parts, growing]),
    next: () => {
      if (parts.length === 0 && growing !== undefined) {
        const { counts, at } = growing;
        for (const part of splitCounts(counts, MAX_PART_CELLS))
          parts.push({ at, id: randomUUID(), number: (lastNumber += 1), counts: part });
        growing = undefined;
      }
      return parts[0];
    },
    removeNext: () => void parts.shift(),
  };
}
