import type { BrowserContextOptions, Page } from '@playwright/test';
import type { LineHosts } from '../../src/line/start-line-hosts.ts';
import type { SiteChanges } from './make-site-folder.ts';
import { SIX_LANGUAGES } from './six-languages.ts';

const PHONE = 390;
const DESKTOP = 1440;
const PHONES = [320, PHONE];
const ALL = [...PHONES, 768, 1366, DESKTOP];
const BOTH = [PHONE, DESKTOP];

/** The sites that are photographed. */
export const SITES = {
  demo: {},
  campaign: { site: { campaigns: { soon: { name: 'Spring cup', from: '2100-01-01T00:00Z' } } } },
  consent: { site: { consent: 'required', analytics: { counts: 'self' } } },
  light: {
    site: { theme: { accent: '#855400', background: '#ffffff' } },
  },
  languages: {
    ...SIX_LANGUAGES,
    site: { ...SIX_LANGUAGES.site, consent: 'required', analytics: { counts: 'self' } },
  },
} as const satisfies Readonly<Record<string, SiteChanges>>;

/** Four lines, and four fallback hosts. */
export const SHOT_HOSTS = ['line', 'backup'].flatMap((name) =>
  [1, 2, 3, 4].map((n) => `${name}${n}.localhost`),
);

export type Shot = {
  readonly name: string;
  readonly widths: readonly number[];
  /** If not Simplified Chinese and English. */
  readonly locales?: readonly string[];
  readonly site?: keyof typeof SITES;
  readonly options?: BrowserContextOptions;
  /** The visitor has set the browser's font to 32 px. */
  readonly hasLargeFont?: boolean;
  /** The whole page, and not only what is seen first. */
  readonly isWhole?: boolean;
  /** Brings the page into the state of the picture. */
  readonly prepare?: (page: Page, lines: LineHosts) => Promise<void> | void;
  readonly settle?: (page: Page) => Promise<void>;
  readonly path?: string;
};

const measured = async (page: Page): Promise<void> => {
  await page.locator('[data-phase="ready"]').waitFor();
};

/** All texts twice as large, as some browsers do without telling the page. */
const enlarged = async (page: Page): Promise<void> => {
  await measured(page);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
};

const asked = async (page: Page): Promise<void> => {
  await measured(page);
  await page.locator('.consent').waitFor();
};

function breakAll(fault: 'refuse' | 'hang') {
  return (_: Page, lines: LineHosts): void => {
    for (const host of SHOT_HOSTS) lines.set(host, { fault });
  };
}

const mixed = (_: Page, lines: LineHosts): void => {
  lines.set('line1.localhost', { delayMs: 380 });
  lines.set('line3.localhost', { fault: 'wrong-marker' });
  lines.set('line4.localhost', { delayMs: 900 });
};

const takenOver = (_: Page, lines: LineHosts): void => {
  lines.set('line1.localhost', { fault: 'parking-page' });
  lines.set('line2.localhost', { fault: 'refuse' });
};

const LANDING: readonly Shot[] = [
  { name: 'measured', widths: ALL, settle: measured },
  { name: 'measured', widths: BOTH, locales: ['zh-TW'], settle: measured },
  { name: 'first-sight', widths: [PHONE, 1366], isWhole: false, settle: measured },
  {
    name: 'testing',
    widths: BOTH,
    prepare: breakAll('hang'),
    settle: async (page) => {
      await page.locator('[data-row] a[href]').first().waitFor();
    },
  },
  {
    name: 'beams',
    widths: BOTH,
    isWhole: false,
    options: { reducedMotion: 'no-preference' },
    prepare: async (_, lines) => {
      for (const [index, host] of SHOT_HOSTS.entries()) lines.set(host, { delayMs: 1_200 + index * 500 });
    },
    settle: async (page) => {
      await page.locator('[data-fastest]').waitFor();
      // In the middle of the race, which lasts some seconds.
      await page.waitForTimeout(250);
    },
  },
  { name: 'mixed', widths: ALL, prepare: mixed, settle: measured },
  {
    name: 'unproven',
    widths: BOTH,
    isWhole: false,
    prepare: (_, lines) => lines.set('line1.localhost', { fault: 'wrong-marker' }),
    settle: async (page) => {
      await measured(page);
      await page.locator('[data-row] button[aria-haspopup]').click();
    },
  },
  {
    name: 'failed',
    widths: ALL,
    prepare: breakAll('refuse'),
    settle: async (page) => {
      await measured(page);
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'backup',
    widths: BOTH,
    prepare: async (page) => {
      await page.route('**/api/hostnames', (route) => route.fulfill({ json: [] }));
    },
    settle: measured,
  },
  {
    name: 'hung-calls',
    widths: BOTH,
    prepare: async (page) => {
      await page.route('**/api/hostnames', () => undefined);
    },
    settle: async (page) => {
      await page.locator('[data-row="4"]:not([data-grade="pending"])').waitFor();
    },
  },
  {
    name: 'links-failed',
    widths: BOTH,
    prepare: async (page) => {
      await page.route('**/json/link.json', (route) => route.abort());
    },
    settle: async (page) => {
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'in-app',
    widths: ALL,
    options: { userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49' },
    settle: measured,
  },
  { name: 'campaign-soon', site: 'campaign', widths: ALL, path: '/c/soon', settle: measured },
  { name: 'restricted', widths: ALL, options: { extraHTTPHeaders: { 'CF-IPCountry': 'AQ' } } },
  {
    name: 'restricted-late',
    widths: BOTH,
    prepare: async (page) => {
      await page.route('**/api/hostnames', (route) => route.fulfill({ status: 451, json: {} }));
    },
    settle: async (page) => {
      await page.getByRole('alert').waitFor();
    },
  },
  ...(['wallet', 'esb', 'tg'] as const).map((tab) => ({
    name: `tab-${tab}`,
    widths: [768, DESKTOP],
    isWhole: false,
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
      await page.locator('[data-without-script] a').first().waitFor();
    },
  },
  { name: 'no-script', widths: BOTH, options: { javaScriptEnabled: false } },
  { name: 'forced-colours', widths: BOTH, options: { forcedColors: 'active' }, settle: measured },
  { name: 'consent', site: 'consent', widths: ALL, isWhole: false, settle: asked },
  { name: 'consent', site: 'languages', widths: ALL, locales: ['de', 'ar'], isWhole: false, settle: asked },
  { name: 'arabic', site: 'languages', widths: BOTH, locales: ['ar'], prepare: mixed, settle: measured },
  { name: 'light', site: 'light', widths: BOTH, prepare: mixed, settle: measured },
  { name: 'large-text', widths: ALL, prepare: mixed, settle: enlarged },
  { name: 'large-font', widths: ALL, hasLargeFont: true, prepare: mixed, settle: measured },
];

const OTHERS: readonly Shot[] = [
  { name: 'not-found', widths: ALL, path: '/nowhere' },
  { name: 'not-found-light', site: 'light', widths: [PHONE], locales: ['en'], path: '/nowhere' },
  {
    name: 'r-searching',
    widths: BOTH,
    path: '/r',
    prepare: breakAll('hang'),
    settle: async (page) => {
      await page.getByRole('status').waitFor();
    },
  },
  {
    name: 'r-none',
    widths: ALL,
    path: '/r',
    prepare: breakAll('refuse'),
    settle: async (page) => {
      await page.getByRole('button').waitFor();
      await page.waitForLoadState('load');
    },
  },
  { name: 't-found', widths: ALL, path: '/t/localhost', settle: (page) => page.locator('#enter').waitFor() },
  {
    name: 't-choosing',
    widths: BOTH,
    path: '/t/localhost',
    prepare: breakAll('hang'),
    settle: (page) => page.getByRole('status').first().waitFor(),
  },
  {
    name: 't-none',
    widths: ALL,
    path: '/t/localhost',
    prepare: breakAll('refuse'),
    settle: (page) => page.locator('#enter').waitFor(),
  },
  { name: 't-failed', widths: BOTH, path: '/t/unknown', settle: (page) => page.getByRole('alert').waitFor() },
  {
    name: 't-unproven',
    widths: BOTH,
    path: '/t/localhost',
    prepare: takenOver,
    settle: (page) => page.locator('#enter').waitFor(),
  },
  {
    name: 't-warning',
    widths: BOTH,
    path: '/t/localhost',
    prepare: takenOver,
    settle: async (page) => {
      await page.locator('#enter').click();
      await page.locator('#other').waitFor();
    },
  },
];

/** Every page in every state. */
export const SHOTS: readonly Shot[] = [...LANDING, ...OTHERS];
