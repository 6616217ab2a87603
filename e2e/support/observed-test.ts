import type { Page } from '@playwright/test';
import { SESSION_KEY } from '../../src/contract/page/storage-keys.ts';
import type { SiteChanges } from './make-site-folder.ts';
import type { Intake } from './start-intake.ts';
import type { TagHost } from './start-tag-host.ts';
import { test as base } from './test.ts';

export { expect } from './test.ts';

type Observed = {
  readonly intake: Intake;
  readonly tagHost: TagHost;
  /** The site's settings for analytics and monitoring: `test.use({ observation: … })`. */
  readonly observation: {
    readonly hasTag?: boolean;
    readonly hasIntake?: boolean;
    readonly consent?: 'required' | 'not-required';
    readonly sessionPercent?: number;
    readonly replayPercent?: number;
    readonly maskText?: boolean;
  };
};

/** A test of the whole product with a page tag and a monitoring intake to configure. */
export const test = base.extend<Observed>({
  observation: [{}, { option: true }],
  intake: async ({ sharedIntake }, use) => {
    await use(sharedIntake);
  },
  tagHost: async ({ sharedTagHost }, use) => {
    sharedTagHost.asked.length = 0;
    await use(sharedTagHost);
  },
  page: async ({ page, intake }, use) => {
    await use(page);
    // A page that was left has no storage to look into; its session is known by what it sent.
    const kept = await page.evaluate((key) => localStorage.getItem(key), SESSION_KEY).catch(() => null);
    intake.reset(kept === null ? undefined : (JSON.parse(kept) as { id: string }).id);
  },
  changes: async ({ observation, intake, tagHost }, use) => {
    const {
      hasTag,
      hasIntake,
      consent = 'not-required',
      sessionPercent = 100,
      replayPercent = 0,
      maskText = false,
    } = observation;
    const changes: SiteChanges = {
      site: {
        consent,
        ...(hasTag ? { analytics: { measurementId: 'G-TEST', tagUrl: tagHost.url } } : {}),
        ...(hasIntake
          ? { monitoring: { intakeUrl: intake.url, sessionPercent, replayPercent, maskText } }
          : {}),
      },
    };
    await use(changes);
  },
  context: async ({ context }, use) => {
    // The links of the demo lead nowhere: no name of the world is asked for.
    await context.route(/\.example(?:\.com)?[/:]/, (route) => route.fulfill({ body: 'elsewhere' }));
    await use(context);
  },
});

/** For what comes late on a busy machine: after the lines, and when the page is idle. */
export const PATIENCE_MS = 60_000;

/** Waits until the lines are measured, and may be measured again. */
export async function waitForLines(page: Page): Promise<void> {
  await page.locator('[data-phase="ready"]').waitFor({ timeout: PATIENCE_MS });
}

/** What was pushed to the tag's queue. */
export function readDataLayer(page: Page): Promise<readonly unknown[][]> {
  return page.evaluate(() =>
    (window.dataLayer ?? []).map((entry) => Array.from(entry as ArrayLike<unknown>)),
  );
}

/** The events among it: name and parameters. */
export async function readEvents(page: Page): Promise<readonly unknown[][]> {
  const layer = await readDataLayer(page);
  return layer.filter(([command]) => command === 'event').map(([, ...event]) => event);
}

/** The names of what the page keeps in the browser. */
export function readStorageKeys(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].toSorted());
}
