import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, type Page, chromium } from '@playwright/test';
import { BUILT_IN_LOCALES } from '../../src/contract/site/locales.ts';
import { type LineHosts, startLineHosts } from '../../src/line/start-line-hosts.ts';
import { BROWSERS } from './browsers.ts';
import { startPortal } from './start-portal.ts';

const MARKER = 'waypost-shots';
const WIDTHS = [360, 390, 768, 1024, 1440, 1920];
const PHONE = 390;
const DESKTOP = 1440;

type Shot = {
  readonly name: string;
  readonly widths: readonly number[];
  readonly locales?: readonly string[];
  readonly options?: BrowserContextOptions;
  /** Brings the page into the state of the picture. */
  readonly prepare?: (page: Page, lines: LineHosts) => Promise<void> | void;
  readonly settle?: (page: Page) => Promise<void>;
  readonly path?: string;
};

const allHosts = ['line', 'backup'].flatMap((name) => [1, 2, 3, 4].map((n) => `${name}${n}.localhost`));
const measured = async (page: Page): Promise<void> => {
  await page.locator('[data-phase="ready"]').waitFor();
};

const SHOTS: readonly Shot[] = [
  { name: 'measured', widths: WIDTHS, locales: BUILT_IN_LOCALES, settle: measured },
  {
    name: 'testing',
    widths: [PHONE, DESKTOP],
    prepare: (_, lines) => {
      for (const host of allHosts) lines.set(host, { fault: 'hang' });
    },
    settle: async (page) => {
      await page.locator('[data-row] a[href]').first().waitFor();
    },
  },
  {
    name: 'mixed',
    widths: [360, PHONE, DESKTOP],
    locales: BUILT_IN_LOCALES,
    prepare: (_, lines) => {
      lines.set('line1.localhost', { delayMs: 380 });
      lines.set('line3.localhost', { fault: 'wrong-marker' });
      lines.set('line4.localhost', { delayMs: 900 });
    },
    settle: measured,
  },
  {
    name: 'unproven',
    widths: [PHONE, DESKTOP],
    locales: ['zh-CN', 'en'],
    prepare: (_, lines) => lines.set('line1.localhost', { fault: 'wrong-marker' }),
    settle: async (page) => {
      await measured(page);
      await page.locator('[data-row] button[aria-haspopup]').click();
    },
  },
  {
    name: 'failed',
    widths: [360, DESKTOP],
    locales: BUILT_IN_LOCALES,
    prepare: (_, lines) => {
      for (const host of allHosts) lines.set(host, { fault: 'refuse' });
    },
    settle: measured,
  },
  {
    name: 'backup',
    widths: [360, DESKTOP],
    locales: ['zh-CN', 'en'],
    prepare: async (page) => {
      await page.route('**/api/hostnames', (route) => route.fulfill({ json: [] }));
    },
    settle: measured,
  },
  {
    name: 'links-failed',
    widths: [PHONE, DESKTOP],
    prepare: async (page) => {
      await page.route('**/json/link.json', (route) => route.abort());
    },
    settle: async (page) => {
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'in-app',
    widths: [PHONE],
    locales: BUILT_IN_LOCALES,
    options: { userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49' },
    settle: measured,
  },
  {
    name: 'restricted',
    widths: [PHONE, DESKTOP],
    options: { extraHTTPHeaders: { 'CF-IPCountry': 'AQ' } },
  },
  ...(['wallet', 'esb', 'tg'] as const).map((tab) => ({
    name: `tab-${tab}`,
    widths: [768, DESKTOP],
    settle: async (page: Page) => {
      await measured(page);
      await page.locator(`#tab-${tab}`).click();
      await page.waitForLoadState('networkidle');
    },
  })),
  {
    name: 'script-lost',
    widths: [PHONE],
    prepare: async (page) => {
      await page.route('**/assets/main-*.js', (route) => route.abort());
    },
    settle: async (page) => {
      await page.getByRole('link', { name: '官方线路4', exact: true }).waitFor();
    },
  },
  { name: 'no-script', widths: [PHONE, DESKTOP], options: { javaScriptEnabled: false } },
  { name: 'forced-colours', widths: [PHONE, DESKTOP], options: { forcedColors: 'active' }, settle: measured },
  { name: 'not-found', widths: [PHONE], path: '/nowhere' },
  { name: 'type-redirect', widths: [PHONE], path: '/t/localhost' },
  {
    name: 'type-redirect-unproven',
    widths: [PHONE, DESKTOP],
    locales: ['zh-CN', 'en'],
    path: '/t/localhost',
    prepare: async (page, lines) => {
      const [one = '', two = ''] = allHosts;
      lines.set(one, { fault: 'parking-page' });
      lines.set(two, { fault: 'refuse' });
      const json = [one, two].map((host) => `http://${host}:${lines.ports[0]}`);
      await page.route('**/json/urls/*.json', (route) =>
        route.fulfill({ json: { one: json[0], two: json[1] } }),
      );
    },
    settle: async (page) => {
      await page.locator('#enter').click();
      await page.locator('#other').waitFor();
    },
  },
];

/** Takes pictures of the pages in every state, for people to look at. */
export async function takeShots({
  out,
  only,
}: {
  readonly out: string;
  readonly only: readonly string[];
}): Promise<void> {
  const wanted = SHOTS.filter(({ name }) => only.length === 0 || only.includes(name));
  const browser = await chromium.launch(BROWSERS.chromium.launchOptions);
  for (const shot of wanted) await takeShot(browser, shot, out);
  await browser.close();
}

async function takeShot(browser: Browser, shot: Shot, out: string): Promise<void> {
  const hosts = Object.fromEntries(allHosts.map((host, index) => [host, { delayMs: 24 + index * 31 }]));
  const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts });
  const withPort = (host: string): string => `http://${host}:${lines.ports[0]}`;
  const portal = await startPortal({
    site: {
      lines: {
        marker: MARKER,
        hosts: allHosts.slice(0, 4).map(withPort),
        fallback: allHosts.slice(4).map(withPort),
      },
      // Most pictures are of a visitor whose country nobody names.
      network: { countryHeader: 'CF-IPCountry', trustedProxies: ['127.0.0.0/8'], unknownRegion: 'open' },
      compliance: { restrictedRegions: ['AQ'] },
    },
  });
  const { name, widths, locales = ['zh-CN'], options, prepare, settle, path = '/' } = shot;
  for (const width of widths) {
    for (const locale of locales) {
      const context = await browser.newContext({
        ...options,
        viewport: { width, height: width < 768 ? 780 : 900 },
        deviceScaleFactor: width < 768 ? 2 : 1,
      });
      const page = await context.newPage();
      await prepare?.(page, lines);
      await page.goto(`${portal.url}${path}?lang=${locale}`);
      await settle?.(page);
      await page.screenshot({ path: join(out, `${name}-${width}-${locale}.png`), fullPage: true });
      await context.close();
    }
  }
  await portal.close();
  await lines.close();
}
