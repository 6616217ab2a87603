const MEMORY_MS = 120_000;
const MEMORY_VISITS_PER_LINE = 20;

/**
 * Which part of the visitors entered each line lately: over the last two minutes, or over as many visits as it takes to
 * tell, whichever is longer. Shares sum to 1.
 */
export function trackShares(shares: Float64Array, entries: Float64Array, passedMs: number): Float64Array {
  const visits = entries.reduce((sum, count) => sum + count, 0);
  if (visits === 0) return shares;
  const memoryVisits = MEMORY_VISITS_PER_LINE * shares.length;
  const kept = Math.exp(-Math.min(passedMs / MEMORY_MS, visits / memoryVisits));
  return shares.map((share, line) => share * kept + ((entries[line] ?? 0) / visits) * (1 - kept));
}
