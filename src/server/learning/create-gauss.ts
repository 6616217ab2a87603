const STEPS = 4_096;
const SLICE = 1e-3;
const FARTHEST = 6;
/** No value is farther from 0 than this. One in eighty would be, and is set to this distance. */
export const GAUSS_LIMIT = 2.5;

/** Draws from a normal distribution by looking values up, which is much faster than working each out. */
export function createGauss(random: () => number): () => number {
  const table = tabulateGauss();
  return () => table[Math.floor(random() * STEPS)] ?? 0;
}

/** The values that divide the distribution into equal parts, found by adding up thin slices of it. */
function tabulateGauss(): Float64Array {
  let value = -FARTHEST;
  let below = 0;
  return Float64Array.from({ length: STEPS }, (_, step) => {
    while (below < (step + 0.5) / STEPS && value < FARTHEST) {
      value += SLICE;
      below += (SLICE * Math.exp(-(value ** 2) / 2)) / Math.sqrt(2 * Math.PI);
    }
    return Math.max(-GAUSS_LIMIT, Math.min(value, GAUSS_LIMIT));
  });
}
