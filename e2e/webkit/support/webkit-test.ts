import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test as base } from '../../support/observed-test.ts';
import { type Front, startFront } from '../../support/start-front.ts';
import { type WebKitPage, createPage } from './create-page.ts';
import { openSession } from './open-session.ts';
import { startDriver } from './start-driver.ts';
import { type PageWatch, makeTalkative, watchPages } from './watch-pages.ts';

export { expect };

const SHOTS_DIR = 'test-results/shots';

type Fixtures = {
  /** A server between WebKit and the portal, with knobs. */
  readonly front: Front;
  /** What the pages tell of themselves. */
  readonly pages: PageWatch;
  /**
   * A browser that has just started. Playwright's options `viewport`, `locale`, `userAgent`, `javaScriptEnabled`,
   * `extraHTTPHeaders`, `ignoreHTTPSErrors` and `serviceWorkers` work for it too.
   */
  readonly webkit: WebKitPage;
};

/** A test of the whole product in WebKit, whose pages may not complain. */
export const test = base.extend<Fixtures>({
  front: async ({ portal, locale, extraHTTPHeaders, serviceWorkers }, use) => {
    const front = await startFront(portal.url, {
      headers: {
        // An empty one leaves it to WebKit to say what its user reads.
        ...(locale ? { 'accept-language': locale } : {}),
        ...extraHTTPHeaders,
      },
      changePage: makeTalkative,
    });
    if (serviceWorkers === 'block') front.route(/^\/offline\.js$/, { status: 404 });
    await use(front);
    front.close();
  },
  pages: async ({ front }, use) => {
    await use(watchPages(front));
  },
  webkit: async (
    { front, pages, viewport, userAgent, javaScriptEnabled, ignoreHTTPSErrors, expectedErrors, intake },
    use,
  ) => {
    // One for each test: a driver that hangs takes no other test with it.
    const driver = await startDriver();
    try {
      const send = await openSession(driver.url, { userAgent, javaScriptEnabled, ignoreHTTPSErrors });
      const page = createPage({ send, pages, baseUrl: front.url });
      if (viewport) await page.resize(viewport);
      await use(page);
    } finally {
      await driver.close();
    }
    intake.reset();
    expect(pages.errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)))).toEqual(
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
  const expected = new RegExp(`^(?:www\\d+\\.)?${host}$`);
  await expect.poll(async () => new URL(await webkit.url()).hostname).toMatch(expected);
  await expect.poll(() => webkit.hostname()).toMatch(expected);
}

/** Keeps a picture for people to look at. */
export async function takeShot(webkit: WebKitPage, name: string): Promise<void> {
  await mkdir(SHOTS_DIR, { recursive: true });
  await writeFile(`${SHOTS_DIR}/webkit-${name}.png`, await webkit.screenshot());
}
