import type { MaintenanceWindow } from '../../contract/site/site-config.ts';

/** What lasts from one moment until another, as `site.json` has them written. */
export type TimeWindow = { readonly from?: string | undefined; readonly until?: string | undefined };

export function isDuring({ from, until }: TimeWindow, at: number): boolean {
  return (!from || Date.parse(from) <= at) && (!until || at < Date.parse(until));
}

/** Finds the maintenance of a line, or of the site, at a moment: the first window whose time it is. */
export function findMaintenance(
  windows: readonly MaintenanceWindow[],
  at: number,
): MaintenanceWindow | undefined {
  return windows.find((window) => isDuring(window, at));
}
