import type { Page } from '@playwright/test';

/**
 * Waits until the browser is at a line whose host name ends like this, by default at any line, and has loaded its page:
 * Firefox counts a navigation twice if it leaves a page that is still loading.
 */
export async function expectEntered(page: Page, host: string | RegExp = '.localhost'): Promise<void> {
  await page.waitForURL(
    ({ hostname }) => (typeof host === 'string' ? hostname.endsWith(host) : host.test(hostname)),
    { waitUntil: 'load' },
  );
}
