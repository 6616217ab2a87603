const MEMORY_MS = 120_000;
const MEMORY_VISITS_PER_LINE = 20;

/**
 * Which part of the visitors was handed to each line lately: over the last two minutes, or over as many visits as it takes
 * to tell, whichever is longer. Shares sum to 1.
 */
export function trackShares(shares: Float64Array, visits: Float64Array, passedMs: number): Float64Array {
  const total = visits.reduce((sum, count) => sum + count, 0);
  if (total === 0) return shares;
  const memoryVisits = MEMORY_VISITS_PER_LINE * shares.length;
  const kept = Math.exp(-Math.min(passedMs / MEMORY_MS, total / memoryVisits));
  return shares.map((share, line) => share * kept + ((visits[line] ?? 0) / total) * (1 - kept));
}
