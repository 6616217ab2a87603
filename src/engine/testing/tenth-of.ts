/** Lets a test do a tenth of its work in `npm test`, and all of it in `npm run soak`. */
export function tenthOf(whole: number): number {
  return isSoak() ? whole : whole / 10;
}

/** True in `npm run soak`, which takes its time. */
export function isSoak(): boolean {
  return process.env['WAYPOST_SOAK'] !== undefined;
}
