import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { isSoak } from '../../src/engine/testing/tenth-of.ts';
import { findCutOff } from './find-cut-off.ts';
import { findSmallTargets } from './find-small-targets.ts';
import { findViolations } from './find-violations.ts';
import { test as base, expect } from './test.ts';

export { expect };

type ConsoleFixtures = {
  /** The console's address, by the name of this machine. */
  readonly consoleUrl: string;
};

/** How an operator has set their browser. */
const OPERATOR = { locale: 'en-GB', timezoneId: 'Asia/Singapore' } as const;

/** A test of the operator's console, beside a portal that looks at its lines itself. */
export const test = base.extend<ConsoleFixtures>({
  hasOwnPortal: true,
  // Visitors in the same browser have it so, too.
  ...OPERATOR,
  // All visitors of a test come from one network, and all of them count.
  changes: { site: { limits: { apiPerMinute: 100_000, reportsPerNetwork: 100_000 } } },
  environment: { WAYPOST_WATCH_LINES: 'on' },
  consoleUrl: async ({ portal }, use) => {
    await use(portal.opsUrl.replace('127.0.0.1', 'localhost'));
  },
});

/** Opens the browser window of one more operator. */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...OPERATOR, ...options });
  return context.newPage();
}

const VIEWS = ['#/', '#/where', '#/why', '#/site'];

/** Opens a view, and waits until it is live. */
export async function openView(page: Page, consoleUrl: string, hash = '#/'): Promise<void> {
  await page.goto(`${consoleUrl}/${hash}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // The view before it stays, and is paler after a while, until this one is loaded. The page hears of its new address before the next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.locator('main [aria-busy="true"], main[aria-busy="true"]')).toHaveCount(0);
}

/** Looks at every view, and at the given line's. */
export async function expectAccessible(page: Page, consoleUrl: string, lineHash?: string): Promise<void> {
  for (const hash of [...VIEWS, ...(lineHash === undefined ? [] : [lineHash])]) {
    await openView(page, consoleUrl, hash);
    await expect(page.getByText('Loading …')).toHaveCount(0);
    // Editing is off: the desk says how to turn it on.
    if (hash === '#/site') await expect(page.getByText('WAYPOST_EDIT=on')).toBeVisible();
    await expectNoViolation(page, hash);
  }
}

/** Where the console becomes that of a phone. */
const PHONE_PX = 768;

/** How the console may look. */
const LOOKS = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'dark', forcedColors: 'active' },
} as const;

type Look = keyof typeof LOOKS;

/**
 * Looks at what is shown, in light, in dark and in forced colours, each at one width: nothing is cut off, axe finds nothing, and on a
 * phone a finger can hit everything. Axe takes most of a second, so in `npm test` it looks at one of the three.
 */
export async function expectNoViolation(
  page: Page,
  what: string,
  widths: Readonly<Record<'light' | 'dark', number>> = { light: 1440, dark: 390 },
): Promise<void> {
  // The phone comes last: what follows in a test goes on with it.
  for (const look of ['light', 'forced', 'dark'] as const) {
    const width = look === 'forced' ? widths.light : widths[look];
    await page.emulateMedia(LOOKS[look]);
    await page.setViewportSize({ width, height: 900 });
    const place = `${what}, ${look}, ${width} px wide`;
    if (isSoak() || look === chooseLook(what)) {
      expect(await findViolations(page), place).toEqual([]);
    }
    // Nothing but colours differs from the light one.
    if (look === 'forced') continue;
    expect(await findCutOff(page), place).toEqual([]);
    if (width <= PHONE_PX) expect(await findSmallTargets(page), place).toEqual([]);
  }
}

/** Chooses each look for about a third of the views. A view has the same look in each run, because only its name counts. */
function chooseLook(what: string): Look {
  return (['light', 'dark', 'forced'] as const)[what.length % 3] ?? 'light';
}
