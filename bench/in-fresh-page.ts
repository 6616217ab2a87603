import type { Browser, BrowserContextOptions, Page } from '@playwright/test';

/** Opens a page in a context of its own: no connection, no cache and no storage of a page before. */
export async function inFreshPage<T>(
  browser: Browser,
  act: (page: Page) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> {
  const context = await browser.newContext(options);
  try {
    return await act(await context.newPage());
  } finally {
    await context.close();
  }
}
