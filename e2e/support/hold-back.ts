import type { Page } from '@playwright/test';

/** Holds a page's requests for this URL back, until what it returns is called. */
export async function holdBack(page: Page, url: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Waits for an answer, and then for another call of the page: what follows from the first answer has left by then. */
export async function settleAfter(page: Page, answered: ReturnType<Page['waitForResponse']>): Promise<void> {
  await (await answered).finished();
  await page.evaluate(async () => (await fetch('/api/get_ip')).text());
}
