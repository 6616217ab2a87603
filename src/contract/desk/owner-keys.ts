/**
 * Keys of `site.json` that reach beyond the pages. Only an owner changes them. `lines.health` makes the server ask any path of a
 * host, and tells what the answer holds. The console shows what a host sends in the header `lines.markerHeader`.
 */
export const OWNER_KEYS = [
  'network',
  'services',
  'analytics',
  'monitoring',
  'alerts',
  'compliance',
  'lines.health',
  'lines.markerHeader',
] as const;
