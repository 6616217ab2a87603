import type { Page } from '@playwright/test';
import { MEASUREMENTS_PATH } from '../../src/contract/paths.ts';

/** What a browser itself says in its console about one of our calls that failed. */
export const FAILED_CALL =
  /(?:Failed to load resource|Cross-Origin Request Blocked).*\/(?:speed\.php|api\/\w+|json\/[\w/-]+\.json)/;

/** The requests of a page as they leave: `/path` for the portal's, `host/path` for a line's. */
export function watchRequests(page: Page): readonly string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { hostname, pathname } = new URL(request.url());
    // The report leaves as a beacon when the page goes. Not every browser shows it here, and no visitor waits for it.
    if (pathname === MEASUREMENTS_PATH) return;
    // What the application of a line loads is its own matter.
    if (hostname !== 'localhost' && request.resourceType() === 'script') return;
    requests.push(hostname === 'localhost' ? pathname : hostname.replace(/^www\d+\./, '') + pathname);
  });
  return requests;
}

export function isProbe(request: string): boolean {
  return request.endsWith('/speed.php');
}
