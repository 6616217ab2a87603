import { join } from 'node:path';
import { type Browser, type Page, chromium } from '@playwright/test';
import type { ConsoleLines } from '../../src/contract/console.ts';
import { CONSOLE_LANGUAGE_COOKIE, CONSOLE_THEME_COOKIE } from '../../src/contract/page/storage-keys.ts';
import { CONSOLE_PATHS } from '../../src/contract/paths.ts';
import { BROWSERS } from './browsers.ts';
import { readCookie } from './sign-in-people.ts';
import { startConsoleDemo } from './start-console-demo.ts';

const WIDTHS = [390, 1440];
const THEMES = ['light', 'dark'];
const LANGUAGES = ['zh-CN', 'en'];
const VIEWS: Readonly<Record<string, string>> = {
  overview: '#/',
  where: '#/where',
  why: '#/why',
  incidents: '#/incidents',
  visitors: '#/visitors',
  campaigns: '#/campaigns',
  sessions: '#/sessions/',
  errors: '#/sessions/errors',
  desk: '#/site',
  history: '#/history',
  'desk-campaigns': '#/site/campaigns',
  'desk-texts': '#/site/texts',
  'desk-alerts': '#/site/alerts',
  'desk-maintenance': '#/site/maintenance',
  'desk-versions': '#/site/versions',
  account: '#/account',
  people: '#/people',
  audit: '#/audit',
};

/** Takes pictures of every view of the console, light and dark, for people to look at. */
export async function takeConsoleShots({
  out,
  only,
}: {
  readonly out: string;
  /** The names of the views; empty for all. */
  readonly only: readonly string[];
}): Promise<void> {
  const demo = await startConsoleDemo();
  try {
    const browser = await chromium.launch(BROWSERS.chromium.launchOptions);
    const session = await demo.fill(browser);
    const views = { ...VIEWS, ...(await findLineViews(demo.console, session)) };
    const unknown = only.filter((name) => !Object.hasOwn(views, name));
    if (unknown.length > 0)
      throw new Error(`no view ${unknown.join(', ')}: ${Object.keys(views).join(', ')}`);
    const wanted = Object.entries(views).filter(([name]) => only.length === 0 || only.includes(name));
    for (const width of WIDTHS)
      for (const theme of THEMES)
        for (const language of LANGUAGES)
          await takeShots(browser, { url: demo.console, session, width, theme, language, wanted, out });
    await browser.close();
  } finally {
    await demo.close();
  }
}

/** A line that is well, and one that is not. */
async function findLineViews(url: string, session: string): Promise<Readonly<Record<string, string>>> {
  const answer = await fetch(new URL(CONSOLE_PATHS.lines, url), { headers: { Cookie: session } });
  const { lines } = (await answer.json()) as ConsoleLines;
  const views = { line: 'up', 'line-down': 'down' };
  return Object.fromEntries(
    Object.entries(views).flatMap(([name, wanted]) => {
      const line = lines.find(({ status, tried }) => status === wanted && tried !== null);
      return line === undefined ? [] : [[name, `#/lines/${line.id}`]];
    }),
  );
}

type Series = {
  readonly url: string;
  readonly session: string;
  readonly width: number;
  readonly theme: string;
  readonly language: string;
  readonly wanted: readonly (readonly [name: string, hash: string])[];
  readonly out: string;
};

async function takeShots(
  browser: Browser,
  { url, session, width, theme, language, wanted, out }: Series,
): Promise<void> {
  const isPhone = width < 768;
  const context = await browser.newContext({
    viewport: { width, height: isPhone ? 844 : 900 },
    isMobile: isPhone,
    deviceScaleFactor: isPhone ? 2 : 1,
    timezoneId: 'Asia/Singapore',
    locale: language,
  });
  const cookies = { [CONSOLE_LANGUAGE_COOKIE]: language, [CONSOLE_THEME_COOKIE]: theme };
  await context.addCookies([
    readCookie(url, session),
    ...Object.entries(cookies).map(([name, value]) => ({ url, name, value })),
  ]);
  const page = await context.newPage();
  for (const [name, hash] of wanted) {
    await page.goto(new URL(hash, url).href);
    await settle(page);
    await page.screenshot({ path: join(out, `${name}-${width}-${theme}-${language}.png`), fullPage: true });
  }
  await context.close();
}

/** Nothing is loading any more. */
async function settle(page: Page): Promise<void> {
  // A phone shows the words only when the connection is lost.
  await page.locator('[data-connection="live"]').waitFor({ state: 'attached' });
  await page.waitForLoadState('load');
  await page.waitForFunction(() => document.querySelector('[data-shape]') === null);
  // The pages of a preview.
  await Promise.all(page.frames().map((frame) => frame.waitForLoadState('load')));
  await page.waitForTimeout(300);
}
