import type { Page } from '@playwright/test';
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

/** A test of the operator's console, beside a portal that looks at its lines itself. */
export const test = base.extend<ConsoleFixtures>({
  hasOwnPortal: true,
  // The operator's locale, which visitors in the same browser share.
  locale: 'en-GB',
  timezoneId: 'Asia/Singapore',
  // All visitors of a test come from one network, and all of them count.
  changes: { site: { limits: { apiPerMinute: 100_000, reportsPerNetwork: 100_000 } } },
  environment: { WAYPOST_WATCH_LINES: 'on' },
  consoleUrl: async ({ portal }, use) => {
    await use(portal.opsUrl.replace('127.0.0.1', 'localhost'));
  },
});

const VIEWS = ['#/', '#/where', '#/why', '#/site'];

/** Opens a view, and waits until it is live. */
export async function openView(page: Page, consoleUrl: string, hash = '#/'): Promise<void> {
  await page.goto(`${consoleUrl}/${hash}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
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

/**
 * Looks at what is shown, in light and in dark, each at one width: nothing is cut off, axe finds nothing, and on a phone a finger
 * can hit everything. Axe takes most of a second, so in `npm test` it looks at one of the two.
 */
export async function expectNoViolation(
  page: Page,
  what: string,
  widths = { light: 1440, dark: 390 },
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: widths[colorScheme], height: 900 });
    const place = `${what}, ${colorScheme}, ${widths[colorScheme]} px wide`;
    if (isSoak() || colorScheme === chooseScheme(what)) {
      expect(await findViolations(page), place).toEqual([]);
    }
    expect(await findCutOff(page), place).toEqual([]);
    if (widths[colorScheme] <= PHONE_PX) expect(await findSmallTargets(page), place).toEqual([]);
  }
}

/** Light for about half of the views. The same in each run, so it goes by nothing but the view's name. */
function chooseScheme(what: string): 'light' | 'dark' {
  return what.length % 2 === 0 ? 'light' : 'dark';
}
