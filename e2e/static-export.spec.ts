import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LineHosts } from '../src/line/start-line-hosts.ts';
import { IN_CHROMIUM } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { makeSiteFolder } from './support/make-site-folder.ts';
import { type StaticSite, startStaticSite } from './support/start-static-site.ts';
import { expect, nameLines, test as base } from './support/test.ts';

const run = promisify(execFile);

/**
 * The site folder that a portal would serve, exported and on nginx instead. In one browser: the pages are those of the other
 * tests.
 */
const test = base.extend({
  baseURL: async ({ sharedLines }, use) => {
    site ??= startExport(sharedLines);
    await use((await site).url);
  },
});

const CAMPAIGNS = {
  spring: {
    name: 'Spring cup',
    path: '/promo/spring',
    by: [{ device: ['ios'], to: 'landing' }],
    title: { default: '春季杯', en: 'Spring cup' },
  },
  over: { name: 'Over', until: '2000-01-01T00:00Z' },
  soon: { name: 'Soon', from: '2100-01-01T00:00Z' },
};

/** The first test starts it. */
let site: Promise<StaticSite> | undefined;

test.afterAll(async () => (await site)?.close());

async function startExport(lines: LineHosts): Promise<StaticSite> {
  const folder = await makeSiteFolder(nameLines(lines, { site: { campaigns: CAMPAIGNS } }));
  const dir = await mkdtemp(join(tmpdir(), 'waypost-export-'));
  await run('node', ['dist/cli/main.js', 'build', '--site', folder.dir, '--out', join(dir, 'out')]);
  const started = await startStaticSite(join(dir, 'out'));
  return {
    ...started,
    close: async () => {
      await started.close();
      await Promise.all([folder.remove(), rm(dir, { recursive: true })]);
    },
  };
}

test(
  'the landing page measures the lines, and asks for nothing that is not there',
  IN_CHROMIUM,
  async ({ page }) => {
    const failed: string[] = [];
    page.on('response', (response) => {
      if (!response.ok()) failed.push(response.url());
    });
    await page.goto('/');
    const rows = page.locator('[data-row]');
    await expect(rows).toHaveCount(4);
    await expect(rows.locator('[data-speed]')).toHaveText(Array.from({ length: 4 }, () => /^\d+ms$/));
    await expect(rows.filter({ hasText: '备用' })).toHaveCount(0);
    await expect(rows.locator('a[href*=".line"]')).toHaveCount(4);
    // Entering a line would send a report, were there a ticket for one.
    await page.evaluate(() => {
      document.addEventListener('click', (event) => event.preventDefault(), true);
      document.querySelector<HTMLElement>('[data-row] a')?.click();
    });
    await page.waitForLoadState('networkidle');
    expect(failed).toEqual([]);
  },
);

test(
  'the landing page speaks the language that was asked for, and again on the next visit',
  IN_CHROMIUM,
  async ({ page }) => {
    await page.goto('/?lang=en');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  },
);

test('/r takes the visitor to the fastest line', IN_CHROMIUM, async ({ page, lines }) => {
  for (const host of ['line1.localhost', 'line2.localhost', 'line4.localhost']) {
    lines.set(host, { delayMs: 800 });
  }
  await page.goto('/r', { waitUntil: 'commit' });
  await expectEntered(page, 'line3.localhost');
});

test(
  '/t finds its target by the host name, and enters the fastest address',
  IN_CHROMIUM,
  async ({ page, lines }) => {
    lines.set('line1.localhost', { delayMs: 800 });
    await page.goto('/t');
    await expect(page).toHaveURL(/\/t\/localhost$/);
    await page.getByRole('button', { name: '点我进入' }).click();
    await expectEntered(page, 'line2.localhost');
  },
);

test('an address that leads nowhere has a way back', IN_CHROMIUM, async ({ page, expectedErrors }) => {
  expectedErrors.push(/404/);
  await page.goto('/nowhere');
  await page.getByRole('link', { name: '返回首页' }).click();
  await expect(page.locator('[data-row]')).toHaveCount(4);
});

test(
  'links work as files: each leads to a line, by rules for devices, and says if it does not work',
  IN_CHROMIUM,
  async ({ page, browser, baseURL, expectedErrors }) => {
    expectedErrors.push(/status of 4(?:04|10).*\/(?:c|promo)\//);
    await page.goto('/c/spring', { waitUntil: 'commit' });
    await expectEntered(page);
    expect(new URL(page.url()).pathname).toBe('/promo/spring');
    const phone = await browser.newContext({ userAgent: 'iPhone', ...(baseURL ? { baseURL } : {}) });
    const onPhone = await phone.newPage();
    await onPhone.goto('/c/spring', { waitUntil: 'commit' });
    await onPhone.waitForURL(({ pathname }) => pathname === '/');
    await phone.close();
    for (const [path, status, text] of [
      ['/c/never', 404, '没有找到这个链接'],
      ['/c/a_b', 404, '没有找到这个链接'],
      ['/c/over', 410, '活动已结束'],
      ['/c/soon', 200, '活动尚未开始'],
    ] as const) {
      const answer = await page.goto(path);
      expect([path, answer?.status()]).toEqual([path, status]);
      await expect(page.locator('#campaign-note')).toContainText(text);
      await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
    }
  },
);
