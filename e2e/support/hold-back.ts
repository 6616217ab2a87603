import type { Page } from '@playwright/test';

/** Holds a page's requests for this URL back, until the returned function is called. */
export async function holdBack(page: Page, url: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/**
 * Waits for an answer, and then makes another call in the page. By then the page has sent everything that follows from the
 * answer.
 */
export async function settleAfter(page: Page, answered: ReturnType<Page['waitForResponse']>): Promise<void> {
  await (await answered).finished();
  await page.evaluate(async () => (await fetch('/api/get_ip')).text());
}
