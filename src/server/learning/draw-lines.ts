import { MAX_ROWS } from '../../contract/limits.ts';

/** Draws four of the candidates, by their index, whatever was measured of them; a line of weight 2 is as likely as two. */
export function drawLines(
  candidates: readonly number[],
  weights: Float64Array,
  random: () => number,
): number[] {
  if (candidates.length <= MAX_ROWS) return [...candidates];
  // Of waiting times with these rates, each next one to end is drawn by weight from those that are left.
  const waits = new Map(candidates.map((line) => [line, -Math.log(1 - random()) / (weights[line] ?? 1)]));
  const waitOf = (line: number): number => waits.get(line) ?? Infinity;
  return candidates.toSorted((a, b) => waitOf(a) - waitOf(b)).slice(0, MAX_ROWS);
}
