import type { Browser, Page } from '@playwright/test';
import { openChromium } from '../open-chromium.ts';

declare global {
  interface Window {
    /** Does something, and returns how many ms later it is drawn. */
    timeUntilDrawn: (act: () => void, isThere: () => boolean) => Promise<number>;
  }
}

/** In ms, from what the operator does until it is drawn. */
export type OpenedReplays = { readonly listMs: readonly number[]; readonly frameMs: readonly number[] };

/** Opens the list, and the replays of some sessions, in the console in Chromium. Each page is new, with nothing cached. */
export async function openReplays(opsUrl: string, sessions: readonly string[]): Promise<OpenedReplays> {
  const consoleUrl = opsUrl.replace('127.0.0.1', 'localhost');
  const browser = await openChromium();
  const [listMs, frameMs]: [number[], number[]] = [[], []];
  for (const session of sessions) {
    listMs.push(await inNewPage(browser, consoleUrl, openList));
    frameMs.push(await inNewPage(browser, `${consoleUrl}/#/sessions/${session}`, openReplay));
  }
  await browser.close();
  return { listMs, frameMs };
}

async function inNewPage<T>(browser: Browser, url: string, act: (page: Page) => Promise<T>): Promise<T> {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 }, locale: 'en' });
  await page.addInitScript(() => {
    window.timeUntilDrawn = async (start, isThere) => {
      const startedAt = performance.now();
      start();
      while (!isThere()) await new Promise(requestAnimationFrame);
      // What is there now is drawn with the next frame, and seen when the one after it begins.
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return performance.now() - startedAt;
    };
  });
  await page.goto(url);
  await page.getByText('Live', { exact: true }).waitFor();
  const result = await act(page);
  await page.close();
  return result;
}

/** From the choice in the menu until the first 50 sessions are seen. */
function openList(page: Page): Promise<number> {
  return page.evaluate(() =>
    window.timeUntilDrawn(
      () => void (location.hash = '#/sessions/'),
      () => document.querySelectorAll('tbody [role="img"]').length >= 50,
    ),
  );
}

/** From the click on "Watch the replay" until the page that was recorded is seen. */
function openReplay(page: Page): Promise<number> {
  const button = page.getByRole('button', { name: 'Watch the replay' });
  return button.evaluate((watch: HTMLButtonElement) =>
    window.timeUntilDrawn(
      () => watch.click(),
      () => {
        // The player is in a frame, and shows the page in a frame of its own. All have the same origin.
        const player = document.querySelector('iframe')?.contentDocument;
        const shown = player?.querySelector('iframe')?.contentDocument?.body;
        return shown?.innerText.includes('Retest speed') ?? false;
      },
    ),
  );
}
