import type { Browser } from '@playwright/test';
import { inFreshPage } from './in-fresh-page.ts';

/** How one visitor entered a line. */
export type Entry = {
  /** Until the first byte of the line's page. */
  readonly ms: number;
  /** Whether the browser had fetched that page ahead. */
  readonly isPrefetched: boolean;
};

/** The visitor clicks this long after the loading state has ended. */
const REST_MS = 2_000;

/** Opens a redirect page for the first time, and measures until the first byte of the page of that line. */
export function measureEntry(browser: Browser, url: string, host: string): Promise<Entry> {
  return inFreshPage(browser, async (page) => {
    // The browser's own clock, of both moments.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const entered = new Promise<Entry>((resolve) => {
      let startedAt: number | undefined;
      devtools.on('Network.requestWillBeSent', ({ type, timestamp }) => {
        if (type === 'Document') startedAt ??= timestamp;
      });
      devtools.on('Network.responseReceived', ({ type, response, timestamp }) => {
        if (type !== 'Document' || !new URL(response.url).hostname.endsWith(host)) return;
        const ms = (timestamp - (startedAt ?? timestamp)) * 1_000;
        resolve({ ms, isPrefetched: response.fromPrefetchCache === true });
      });
    });
    await page.goto(url, { waitUntil: 'commit' });
    return entered;
  });
}

/** Opens the landing page for the first time, and measures until a row shows its time. */
export function measureFirstRow(browser: Browser, url: string): Promise<number> {
  return inFreshPage(browser, async (page) => {
    await page.addInitScript(watchFirstRow);
    await page.goto(url, { waitUntil: 'commit' });
    const shown = await page.waitForFunction(() => document.documentElement.dataset['firstRowMs']);
    return Number(await shown.jsonValue());
  });
}

/** Runs in the page, before it is parsed. */
function watchFirstRow(): void {
  const observer = new MutationObserver(() => {
    const texts = [...document.querySelectorAll('[data-speed]')].map(({ textContent }) => textContent ?? '');
    if (!texts.some((text) => /^\d+ms$/.test(text))) return;
    observer.disconnect();
    document.documentElement.dataset['firstRowMs'] = String(performance.now());
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
}

/** Opens the landing page, waits, clicks the fastest row, and measures from the click until the first byte of the line. */
export function measureClick(browser: Browser, url: string): Promise<Entry> {
  return inFreshPage(browser, async (page) => {
    await page.addInitScript(() => {
      addEventListener('click', ({ timeStamp }) => {
        document.documentElement.dataset['clickedAt'] = String(performance.timeOrigin + timeStamp);
      });
    });
    await page.goto(url);
    await page.locator('[data-phase="ready"]').waitFor();
    await page.waitForTimeout(REST_MS);
    const opening = page.context().waitForEvent('page');
    await page.locator('[data-fastest] a[data-line]').click();
    const line = await opening;
    await line.waitForURL(/^https/, { waitUntil: 'commit' });
    const { firstByteAt, isPrefetched } = await line.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation');
      if (!(navigation instanceof PerformanceNavigationTiming)) throw new Error('no navigation timing');
      return {
        firstByteAt: performance.timeOrigin + navigation.responseStart,
        // TypeScript's DOM may not have it yet.
        isPrefetched: 'deliveryType' in navigation && navigation.deliveryType === 'navigational-prefetch',
      };
    });
    const clickedAt = Number(await page.locator('html').getAttribute('data-clicked-at'));
    return { ms: firstByteAt - clickedAt, isPrefetched };
  });
}
