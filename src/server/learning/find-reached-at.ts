import type { EvidenceRow } from './evidence-row.ts';

/** A line that the server sees down is handed out all the same for so long after visitors have reached it. */
export const REACHED_LATELY_MS = 120_000;
/** One voter may be a liar's prefix; nobody is two for free. */
const MIN_VOTERS = 2;

/**
 * The last time by which as many voters as it takes to be believed had reached a line; -Infinity where that is never. What
 * a clock that was ahead has noted does not count.
 */
export function findReachedAt(rows: Iterable<EvidenceRow>, line: number, now: number): number {
  const latest = Array.from({ length: MIN_VOTERS }, () => -Infinity);
  for (const { votes } of rows) {
    for (const { reachedAt } of votes.get(line)?.values() ?? []) {
      const isKnown = reachedAt > 0 && reachedAt <= now + REACHED_LATELY_MS;
      if (!isKnown || reachedAt <= (latest.at(-1) ?? 0)) continue;
      latest.push(reachedAt);
      latest.sort((a, b) => b - a);
      latest.pop();
    }
  }
  return latest.at(-1) ?? -Infinity;
}
