/**
 * Rounds chances to whole percent that still add up: those that lose most by being rounded down are rounded up (the method of the
 * largest remainder).
 */
export function roundChances(chances: readonly number[]): readonly number[] {
  const exact = chances.map((chance) => chance * 100);
  const whole = exact.map(Math.floor);
  const missing = Math.round(addUp(exact)) - addUp(whole);
  const lossOf = (index: number): number => (exact[index] ?? 0) - (whole[index] ?? 0);
  const byLoss = exact.map((_, index) => index).toSorted((one, other) => lossOf(other) - lossOf(one));
  const roundedUp = new Set(byLoss.slice(0, missing));
  return whole.map((percent, index) => percent + (roundedUp.has(index) ? 1 : 0));
}

function addUp(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
