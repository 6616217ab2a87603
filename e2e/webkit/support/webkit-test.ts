import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test as base } from '../../support/observed-test.ts';
import { type WebKitPage, createPage } from './create-page.ts';
import { type Session, type SessionOptions, openSession } from './open-session.ts';
import { type Driver, startDriver } from './start-driver.ts';
import { type Front, startFront } from './start-front.ts';

export { expect };

const SHOTS_DIR = 'test-results/shots';

type Fixtures = {
  /** A server between WebKit and the portal, with knobs. */
  readonly front: Front;
  /**
   * A browser that has just started. Playwright's options `viewport`, `locale`, `userAgent`, `javaScriptEnabled` and
   * `extraHTTPHeaders` work for it too.
   */
  readonly webkit: WebKitPage;
};

type WorkerFixtures = {
  readonly openBrowser: (options: SessionOptions) => Promise<Session>;
};

/** A test of the whole product in WebKit, whose pages may not complain. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  openBrowser: [
    async ({}, use) => {
      let driver: Driver = await startDriver();
      await use(async (options) => {
        try {
          return await openSession(driver, options);
        } catch {
          // A driver that cannot start a browser is ended, and a new one gets one more try.
          await driver.close();
          driver = await startDriver();
          return openSession(driver, options);
        }
      });
      await driver.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  front: async ({ portal, locale, extraHTTPHeaders }, use) => {
    const front = await startFront(portal.url, {
      // An empty one leaves it to WebKit to say what its user reads.
      ...(locale ? { 'accept-language': locale } : {}),
      ...extraHTTPHeaders,
    });
    await use(front);
    front.close();
  },
  webkit: async (
    { openBrowser, front, viewport, userAgent, javaScriptEnabled, expectedErrors, intake },
    use,
  ) => {
    const session = await openBrowser({ userAgent, javaScriptEnabled });
    const page = createPage(session, front.url);
    if (viewport) await page.resize(viewport);
    await use(page);
    await session.close();
    intake.reset();
    expect(front.errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)))).toEqual(
      [],
    );
  },
});

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 1000 };
export const MEASURED = expect.stringMatching(/^\d+ms$/);

/** The speed texts of the four rows. */
export function speedsOf(webkit: WebKitPage): Promise<readonly string[]> {
  return webkit.texts('[data-row] [data-speed]');
}

/** Waits until the loading state is over. */
export async function waitUntilReady(webkit: WebKitPage): Promise<void> {
  await expect.poll(() => webkit.attributes('[data-phase]', 'data-phase')).toEqual(['ready']);
}

/** Waits until WebKit has gone to a line whose host name ends like this, prefix included. */
export async function expectEntered(webkit: WebKitPage, host: string): Promise<void> {
  // By the document itself: the driver names an address before its document is there.
  await expect
    .poll(() => webkit.evaluate(() => location.hostname).catch(() => ''))
    .toMatch(new RegExp(`^(?:www\\d+\\.)?${host}$`));
}

/** Keeps a picture for people to look at. */
export async function takeShot(webkit: WebKitPage, name: string): Promise<void> {
  await mkdir(SHOTS_DIR, { recursive: true });
  await writeFile(`${SHOTS_DIR}/webkit-${name}.png`, await webkit.screenshot());
}
