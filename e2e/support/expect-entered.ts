import type { Page } from '@playwright/test';

/** Waits until the browser has gone to a line whose host name ends like this; to any line, without one. */
export async function expectEntered(page: Page, host: string | RegExp = '.localhost'): Promise<void> {
  await page.waitForURL(
    ({ hostname }) => (typeof host === 'string' ? hostname.endsWith(host) : host.test(hostname)),
    { waitUntil: 'commit' },
  );
}
