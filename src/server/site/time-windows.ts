import type { LineMaintenance, SiteMaintenance } from '../../contract/site/site-config.ts';

/** What lasts from one moment until another, as `site.json` has them written. */
export type TimeWindow = { readonly from?: string | undefined; readonly until?: string | undefined };

export function isDuring({ from, until }: TimeWindow, at: number): boolean {
  return (!from || Date.parse(from) <= at) && (!until || at < Date.parse(until));
}

/** Finds the maintenance of a line at a moment: the first window whose time it is. */
export function findMaintenance(
  windows: readonly LineMaintenance[],
  at: number,
): LineMaintenance | undefined {
  return windows.find((window) => isDuring(window, at));
}

/** Finds the maintenance of the site at a moment. Of several, one that closes the site wins, then the one that ends last. */
export function findSiteMaintenance<T extends Pick<SiteMaintenance, 'from' | 'until' | 'closes'>>(
  windows: readonly T[],
  at: number,
): T | undefined {
  return windows
    .filter((window) => isDuring(window, at))
    .toSorted((a, b) => Number(b.closes) - Number(a.closes) || endOf(b) - endOf(a))[0];
}

/** Finds the next moment after this one at which one of these begins or ends. There may be none: `Infinity`. */
export function findNextChange(windows: readonly TimeWindow[], after: number): number {
  const moments = windows
    .flatMap(({ from, until }) => [from ?? '', until ?? ''])
    .map((moment) => Date.parse(moment));
  return Math.min(...moments.filter((moment) => moment > after), Infinity);
}

function endOf({ until }: TimeWindow): number {
  return until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until);
}
