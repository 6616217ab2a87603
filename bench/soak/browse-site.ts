import type { Browser } from '@playwright/test';

export type Browsing = {
  /** Pages that were opened and did what they are for. */
  visits: number;
  readonly errors: string[];
};

const PATIENCE_MS = 45_000;

/** Opens the landing page and `/r` in turn, each time as a new visitor, until it is told to stop. */
export async function browseSite(browser: Browser, url: string, signal: AbortSignal): Promise<Browsing> {
  const browsing: Browsing = { visits: 0, errors: [] };
  while (!signal.aborted) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'zh-CN' });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => browsing.errors.push(String(error)));
    try {
      await page.goto(url);
      await page.locator('[data-phase="ready"]').waitFor();
      // It is enough that the page leaves for a line: the line may have failed since its probe.
      const leaving = page.waitForRequest(
        (request) => request.isNavigationRequest() && isLine(request.url()),
      );
      await page.goto(`${url}/r`, { waitUntil: 'commit' });
      await leaving;
      browsing.visits += 1;
    } catch (error) {
      browsing.errors.push(String(error));
    } finally {
      await context.close();
    }
  }
  return browsing;
}

function isLine(url: string): boolean {
  return new URL(url).hostname.endsWith('.localhost');
}
