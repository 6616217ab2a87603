import type { Page } from '@playwright/test';
import type { LineHosts } from '../../src/line/start-line-hosts.ts';
import { expect, test as base } from './test.ts';

const DAY_MS = 86_400_000;
/** As long as a race and its patience may take, on a busy machine. */
const MOVED = { timeout: 60_000 };

export type Stay = {
  /** The address of a line as a visitor enters it, `days` ago. */
  readonly addressOf: (line: string, days?: number) => string;
  /** Opens a page of a line, and waits until its siblings are kept. */
  readonly enter: (page: Page, address: string) => Promise<void>;
};

/** A test of what happens to visitors who are in a line already. Its lines include the script of the portal. */
export const test = base.extend<{ readonly stay: Stay }>({
  serviceWorkers: 'allow',
  stay: async ({ lines, portal, expectedErrors }, use) => {
    lines.setPortal(portal.url);
    // Browsers write into their console that a line which is gone cannot be reached.
    expectedErrors.push(/localhost|Failed to (?:load|fetch)|NetworkError|status of 50\d/);
    const today = Math.floor(Date.now() / DAY_MS);
    await use({
      addressOf: (line, days = 0) => `http://www${today - days}.${line}:${lines.ports[0]}`,
      enter: enterLine,
    });
  },
});

/** Opens a page of a line, and waits until its worker is in charge and has siblings. */
export async function enterLine(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/`);
  await expect.poll(() => readKept(page)).toContain('"portal"');
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await expect.poll(() => readKept(page)).toContain('"hosts"');
}

/** What a line's worker keeps, as JSON. */
export async function readKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const cache = await caches.open('waypost.stay');
    return (await (await cache.match('/waypost/siblings'))?.text()) ?? '';
  });
}

/** Waits until the page is at another line: line2, line3 or line4, or a backup. */
export async function expectMoved(page: Page, path: string, scheme = 'http'): Promise<void> {
  await expect(page).toHaveURL(
    new RegExp(`^${scheme}://www\\d+\\.(?:line[2-4]|backup\\d)\\.localhost:\\d+${path}$`),
    MOVED,
  );
  const heading = page.getByRole('heading');
  await expect(async () => {
    await expect(heading)
      .toHaveText(/^(?:line[2-4]|backup\d)\.localhost$/, { timeout: 10_000 })
      .catch(async (error: unknown) => {
        // After a move to another host, the driver of Firefox may go on showing the document that was there before.
        if (isFirefox(page)) await page.reload();
        throw error;
      });
  }).toPass(MOVED);
}

/** Opens a page of a lost line, and expects that it leads nowhere: the browser shows its own error, and Firefox a page of the worker's. */
export async function expectNotMoved(page: Page, url: string): Promise<void> {
  const shown = page.waitForEvent('framenavigated');
  const opened = page.goto(url);
  if (isFirefox(page)) {
    expect((await opened)?.status()).toBe(503);
    expect(page.url()).toBe(url);
  } else await expect(opened).rejects.toThrow();
  // Chromium opens its error page a moment later.
  await shown;
}

/** Breaks every line but the first. */
export function breakSiblings(lines: LineHosts, fault: 'refuse' | 'wrong-marker' | 'no-cors'): void {
  for (const name of ['line2', 'line3', 'line4', 'backup1', 'backup2', 'backup3', 'backup4'])
    lines.set(`${name}.localhost`, { fault });
}

function isFirefox(page: Page): boolean {
  return page.context().browser()?.browserType().name() === 'firefox';
}
