import { setTimeout as wait } from 'node:timers/promises';
import { type BareChromium, type Send, evaluate, waitForValue } from './open-bare-chromium.ts';

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
export function measureEntry(browser: BareChromium, url: string, host: string): Promise<Entry> {
  return browser.inFreshPage(async (send) => {
    await send('Page.navigate', { url });
    // The page is there now, and leaves only after round trips of its own.
    const openedAt = await evaluate<number>(send, 'performance.timeOrigin');
    return waitForEntry(send, host, openedAt);
  });
}

/** Opens the landing page for the first time, and measures until a row shows its time. */
export function measureFirstRow(browser: BareChromium, url: string): Promise<number> {
  return browser.inFreshPage(async (send) => {
    await runInEveryPage(send, watchFirstRow);
    await send('Page.navigate', { url });
    return Number(await waitForValue<string>(send, 'document.documentElement.dataset.firstRowMs'));
  });
}

/** Opens the landing page, waits, clicks the fastest row, and measures from the click until the first byte of the line. */
export function measureClick(browser: BareChromium, url: string): Promise<Entry> {
  return browser.inFreshPage(async (send, waitForTab) => {
    await runInEveryPage(send, noteClick);
    await send('Page.navigate', { url });
    await waitForValue(send, `document.querySelector('[data-phase="ready"]')?.tagName`);
    await wait(REST_MS);
    const link = await evaluate<object>(send, `(${findFastest.toString()})()`);
    const click = { ...link, button: 'left', clickCount: 1 };
    await send('Input.dispatchMouseEvent', { ...click, type: 'mousePressed' });
    await send('Input.dispatchMouseEvent', { ...click, type: 'mouseReleased' });
    const line = await waitForTab();
    const clickedAt = Number(await waitForValue<string>(send, 'document.documentElement.dataset.clickedAt'));
    return waitForEntry(line, '.localhost', clickedAt);
  });
}

/** Waits until the tab shows a page of that host. The browser's own clock tells when its first byte came. */
async function waitForEntry(send: Send, host: string, sinceMs: number): Promise<Entry> {
  const [firstByteAt, deliveryType] = await waitForValue<readonly [number, string]>(
    send,
    `(${readFirstByte.toString()})(${JSON.stringify(host)})`,
  );
  return { ms: firstByteAt - sinceMs, isPrefetched: deliveryType === 'navigational-prefetch' };
}

async function runInEveryPage(send: Send, script: () => void): Promise<void> {
  await send('Page.enable');
  await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${script.toString()})()` });
}

// These run in the page.

function readFirstByte(host: string): readonly [number, string] | null {
  const [navigation] = performance.getEntriesByType('navigation');
  if (!location.hostname.endsWith(host) || !(navigation instanceof PerformanceNavigationTiming)) return null;
  // TypeScript's DOM may not have it yet.
  const { deliveryType } = navigation as { readonly deliveryType?: string };
  return [performance.timeOrigin + navigation.responseStart, deliveryType ?? ''];
}

function watchFirstRow(): void {
  const observer = new MutationObserver(() => {
    const texts = [...document.querySelectorAll('[data-speed]')].map(({ textContent }) => textContent ?? '');
    if (!texts.some((text) => /^\d+ms$/.test(text))) return;
    observer.disconnect();
    document.documentElement.dataset['firstRowMs'] = String(performance.now());
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
}

function noteClick(): void {
  addEventListener('click', ({ timeStamp }) => {
    document.documentElement.dataset['clickedAt'] = String(performance.timeOrigin + timeStamp);
  });
}

/** The middle of the fastest row's link. */
function findFastest(): { readonly x: number; readonly y: number } | undefined {
  const link = document.querySelector('[data-fastest] a[data-line]');
  link?.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = link?.getBoundingClientRect() ?? new DOMRect();
  return { x: x + width / 2, y: y + height / 2 };
}
