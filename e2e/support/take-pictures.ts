import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type Page, chromium, expect } from '@playwright/test';
import sharp from 'sharp';
import type { ConsoleOverview } from '../../src/contract/console.ts';
import { CONSOLE_PATHS } from '../../src/contract/paths.ts';
import { drawFreePorts } from '../../src/line/find-free-ports.ts';
import { BROWSERS } from './browsers.ts';
import { fillVisits, makeSessions } from './fill-console.ts';
import { makeSiteFolder } from './make-site-folder.ts';
import { addPeople, readCookie, signIn } from './sign-in-people.ts';

type Picture = {
  readonly name: string;
  readonly path: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Of the file. The README shows it at about half of this. */
  readonly widthPx: number;
  readonly settle: (page: Page) => Promise<void>;
};

/** Enough visits that each of the six networks has tried each line. */
const VISITS_FIRST = 600;

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
    viewport: { width: 390, height: 844 },
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
const CONSOLE_PICTURES: readonly Picture[] = [
  {
    name: 'console-overview',
    path: '#/',
    viewport: CONSOLE_VIEWPORT,
    widthPx: 1280,
    settle: (page) => page.locator('table tbody tr').first().waitFor(),
  },
  {
    name: 'console-where',
    path: '#/where',
    viewport: CONSOLE_VIEWPORT,
    widthPx: 1280,
    settle: (page) => page.locator('canvas').last().waitFor(),
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
      await page.getByRole('table', { name: 'The way to a line' }).waitFor();
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
const OPERATOR = 'li.wei';

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
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-pictures-'));
  const site = await makeSiteFolder({
    site: {
      lines: { ports: await drawFreePorts(5) },
      analytics: { counts: 'self' },
      monitoring: { intakeUrl: 'self', replayPercent: 100 },
    },
  });
  await addPeople({ dataDir }, { [OPERATOR]: 'owner' });
  await fillVisits(dataDir, Date.now());
  const folders = ['--site', site.dir, '--data', dataDir];
  const args = ['demo', '--visitors', '30', '--port', '0', '--ops-port', '0', ...folders];
  const demo = spawn('node', ['dist/cli/main.js', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const places = await readPlaces(demo);
    const browser = await chromium.launch(BROWSERS.chromium.launchOptions);
    for (const picture of LANDING_PICTURES.filter(isWanted))
      await takePicture(browser, picture, { url: places.landing, out });
    await makeSessions(browser, places.landing);
    const session = (await signIn(places.console, OPERATOR)) ?? '';
    await waitForVisits(places.console, session);
    for (const picture of CONSOLE_PICTURES.filter(isWanted))
      await takePicture(browser, picture, { url: places.console, out, session });
    await browser.close();
  } finally {
    demo.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
    await site.remove();
  }
}

/** Reads where the demo says that its parts are. */
async function readPlaces(
  demo: ChildProcess,
): Promise<{ readonly landing: string; readonly console: string }> {
  let output = '';
  for await (const chunk of demo.stdout ?? []) {
    output += String(chunk);
    if (output.includes('Ctrl-C')) break;
  }
  const [, landing] = /Landing page +(\S+)/.exec(output) ?? [];
  const [, console] = /Console +(\S+)/.exec(output) ?? [];
  if (landing === undefined || console === undefined) throw new Error(`the demo did not start: ${output}`);
  return { landing, console };
}

async function waitForVisits(consoleUrl: string, session: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const response = await fetch(new URL(CONSOLE_PATHS.overview, consoleUrl), {
          headers: { Cookie: session },
        });
        const { hour } = (await response.json()) as ConsoleOverview;
        return hour.reports ?? 0;
      },
      { timeout: 600_000, intervals: [2_000] },
    )
    .toBeGreaterThan(VISITS_FIRST);
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
