/**
 * Keys of `site.json` that reach beyond the pages, or that can shut everybody out or let everybody in. Only an owner changes
 * them. `lines.health` makes the server ask any path of a host, and tells what the answer holds. The console shows what a host
 * sends in the header `lines.markerHeader`. Without `consent`, analytics and monitoring ask nobody.
 */
export const OWNER_KEYS = [
  'network',
  'services',
  'analytics',
  'monitoring',
  'consent',
  'alerts',
  'console',
  'limits',
  'typeRedirect',
  'compliance',
  'lines.health',
  'lines.markerHeader',
] as const;
