/** Writes the day of a time, in UTC, such as `2026-11-16`. */
export function writeDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
