/**
 * Why a visitor gets a notice instead of lines and redirects: the operator does not serve their region, or has closed the site
 * for maintenance. It is not an empty list: no fallback host may be shown.
 */
export type Closing = 'restricted' | 'maintenance';

/** The status for visitors from a region that the operator does not serve (RFC 7725). */
export const RESTRICTED_STATUS = 451;
/** The status for programs while the site is closed for maintenance. */
export const MAINTENANCE_STATUS = 503;
/** Tells a portal that is closed on purpose from a proxy whose portal is away, which answers 503, too. */
export const CLOSED_HEADER = 'Waypost-Closed';

/** Reads from an answer of the portal why it is closed for this visitor. Undefined if it is not. */
export function readClosing({ status, headers }: Pick<Response, 'status' | 'headers'>): Closing | undefined {
  if (status === RESTRICTED_STATUS) return 'restricted';
  return headers.has(CLOSED_HEADER) ? 'maintenance' : undefined;
}
