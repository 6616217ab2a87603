import type { Page, Route } from '@playwright/test';

/**
 * Holds a page's requests for this URL back, until the returned function is called. Then they go on to the server, or get this
 * answer.
 */
export async function holdBack(
  page: Page,
  url: string | RegExp,
  answer?: Parameters<Route['fulfill']>[0],
): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await (answer === undefined ? route.continue() : route.fulfill(answer));
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
