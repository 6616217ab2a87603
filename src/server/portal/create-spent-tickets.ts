import { TICKET_LIFE_MS } from '../../contract/limits.ts';

export type SpentTickets = {
  /** Spends a ticket; false where it was spent before. */
  readonly spend: (signature: string) => boolean;
};

/** Enough for 300 reports a second; beyond that the oldest half is forgotten before its time. */
const MAX_PER_GENERATION = 200_000;
/**
 * What is remembered of a signature: 72 bits, which no two tickets share. V8 copies a piece of up to 12 characters; a
 * longer one is a view of the text that it was cut from, and keeps all of that in memory.
 */
const KEPT_CHARS = 12;

/** Remembers the tickets that were used, for as long as they would be valid. */
export function createSpentTickets(now: () => number): SpentTickets {
  // Two generations, each one ticket's life long: what was spent is remembered for at least one life.
  let younger = new Set<string>();
  let older = new Set<string>();
  let turnsAt = now() + TICKET_LIFE_MS;
  return {
    spend: (signature) => {
      const at = now();
      if (at >= turnsAt || younger.size >= MAX_PER_GENERATION) {
        older = at >= turnsAt + TICKET_LIFE_MS ? new Set() : younger;
        younger = new Set();
        turnsAt = at + TICKET_LIFE_MS;
      }
      const kept = signature.slice(0, KEPT_CHARS);
      if (younger.has(kept) || older.has(kept)) return false;
      younger.add(kept);
      return true;
    },
  };
}
