import { join } from 'node:path';
import { type Browser, type Page, chromium, expect } from '@playwright/test';
import sharp from 'sharp';
import { BROWSERS } from './browsers.ts';
import { readCookie } from './sign-in-people.ts';
import { startConsoleDemo } from './start-console-demo.ts';

type Picture = {
  readonly name: string;
  readonly path: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Of the file. The README shows it at about half of this. */
  readonly widthPx: number;
  readonly settle: (page: Page) => Promise<void>;
};

/** All four rows have a time, and are in view. The second run is shown: the first one competes with loading the page. */
const measured = async (page: Page): Promise<void> => {
  await page.locator('[data-phase="ready"]').waitFor();
  await page.getByRole('button', { name: 'Retest speed' }).click();
  await page.locator('[data-phase="loading"]').waitFor();
  await page.locator('[data-phase="ready"]').waitFor();
  await expect(page.locator('[data-row] [data-speed]', { hasText: /^\d+ms$/ })).toHaveCount(4);
  await page.locator('[data-row="4"]').evaluate((row) => row.scrollIntoView({ block: 'end' }));
};

/** The landing page's two have the same height when they are shown side by side. */
const LANDING_PICTURES: readonly Picture[] = [
  {
    name: 'landing-phone',
    path: '?lang=en',
    viewport: { width: 390, height: 944 },
    widthPx: 390,
    settle: measured,
  },
  {
    name: 'landing-desktop',
    path: '?lang=en',
    viewport: { width: 1440, height: 1000 },
    widthPx: 1200,
    settle: measured,
  },
];

const CONSOLE_VIEWPORT = { width: 1440, height: 720 };
/** The bar of the past is above these views. */
const TALL_VIEWPORT = { width: 1440, height: 840 };
const CONSOLE_PICTURES: readonly Picture[] = [
  {
    name: 'console-overview',
    path: '#/',
    viewport: TALL_VIEWPORT,
    widthPx: 1280,
    settle: async (page) => {
      await page.getByRole('slider').waitFor();
      await page.locator('table tbody tr').first().waitFor();
    },
  },
  {
    name: 'console-where',
    path: '#/where',
    viewport: TALL_VIEWPORT,
    widthPx: 1280,
    settle: async (page) => {
      await page.getByRole('slider').waitFor();
      await page.locator('canvas').last().waitFor();
    },
  },
  {
    name: 'console-why',
    path: '#/why',
    viewport: CONSOLE_VIEWPORT,
    widthPx: 1280,
    settle: (page) => page.locator('[data-line]').first().waitFor(),
  },
  {
    name: 'console-incidents',
    path: '#/incidents',
    viewport: CONSOLE_VIEWPORT,
    widthPx: 1280,
    settle: async (page) => {
      await page.getByRole('heading', { name: /line12\S* is down/ }).waitFor();
      await page.getByText('Timeline').first().click();
    },
  },
  {
    name: 'console-visitors',
    path: '#/visitors',
    viewport: CONSOLE_VIEWPORT,
    widthPx: 1280,
    settle: async (page) => {
      await page.getByRole('button', { name: '7 days' }).click();
      await page.getByRole('region', { name: 'The way to a line' }).waitFor();
      await page.getByText('Compared with the 7 days before').waitFor();
    },
  },
  {
    name: 'console-sessions',
    path: '#/sessions/',
    viewport: CONSOLE_VIEWPORT,
    widthPx: 1280,
    settle: (page) =>
      page
        .getByText(/^Entered line\d/)
        .first()
        .waitFor(),
  },
  {
    name: 'console-replay',
    path: '#/sessions/?device=pc',
    viewport: { width: 1440, height: 960 },
    widthPx: 1280,
    settle: async (page) => {
      await page
        .getByRole('row')
        .filter({ hasText: /Entered line\d/ })
        .getByRole('link')
        .click();
      await page.getByRole('button', { name: 'Watch the replay' }).click();
      await page.getByRole('button', { name: /^entered / }).click();
      await page.getByTitle('Replay of the page').evaluate((frame) => frame.scrollIntoView());
      await page.frameLocator('iframe').frameLocator('iframe').locator('[data-row]').first().waitFor();
    },
  },
  {
    name: 'console-desk',
    path: '#/site/lines',
    viewport: CONSOLE_VIEWPORT,
    widthPx: 1280,
    settle: async (page) => {
      await page
        .getByRole('button', { name: /^Replace / })
        .first()
        .click();
      await page.keyboard.type('line13.example');
    },
  },
];

/** Takes the pictures of the README and the docs from a demo with simulated visitors. It counts and records, too. */
export async function takePictures({
  out,
  only,
}: {
  readonly out: string;
  /** The names of the pictures; empty for all. */
  readonly only: readonly string[];
}): Promise<void> {
  const isWanted = ({ name }: Picture): boolean => only.length === 0 || only.includes(name);
  const demo = await startConsoleDemo();
  try {
    const browser = await chromium.launch(BROWSERS.chromium.launchOptions);
    for (const picture of LANDING_PICTURES.filter(isWanted))
      await takePicture(browser, picture, { url: demo.landing, out });
    const session = await demo.fill(browser);
    for (const picture of CONSOLE_PICTURES.filter(isWanted))
      await takePicture(browser, picture, { url: demo.console, out, session });
    await browser.close();
  } finally {
    await demo.close();
  }
}

async function takePicture(
  browser: Browser,
  picture: Picture,
  { url, out, session }: { readonly url: string; readonly out: string; readonly session?: string },
): Promise<void> {
  const { name, path, viewport, widthPx, settle } = picture;
  const context = await browser.newContext({ viewport, deviceScaleFactor: 2, locale: 'en' });
  if (session !== undefined) await context.addCookies([readCookie(url, session)]);
  const page = await context.newPage();
  await page.goto(`${url}${path}`);
  await settle(page);
  const image = sharp(await page.screenshot()).resize(widthPx);
  await image.webp({ quality: 80, effort: 6 }).toFile(join(out, `${name}.webp`));
  await context.close();
}
