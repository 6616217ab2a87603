/** Rounds to one digit: faded counts need no more, and JSON is shorter for it. */
export function roundTenths(value: number): number {
  return Math.round(value * 10) / 10;
}
