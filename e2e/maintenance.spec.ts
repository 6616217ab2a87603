import { IN_CHROMIUM } from './support/browsers.ts';
import { findMisfits } from './support/find-misfits.ts';
import { findViolations } from './support/find-violations.ts';
import { holdBack } from './support/hold-back.ts';
import { expect, test } from './support/test.ts';
import { watchRequests } from './support/watch-requests.ts';

const WINDOW = {
  until: '2126-12-01T10:00+08:00',
  reason: { default: 'New disks', 'zh-CN': '更换磁盘', 'zh-TW': '更換磁碟' },
};
/** What the portal answers to calls while it is closed. */
const CLOSED = { status: 503, headers: { 'Waypost-Closed': 'maintenance' }, json: {} };
const CLOSED_TEXT = '本站正在维护，请稍后再来';
const FAILED_CALL = /api\/hostnames|json\/urls/;
const PAGES = ['/', '/r', '/t/localhost'];

test.use({ timezoneId: 'Asia/Singapore' });

test.describe('a maintenance of the site', () => {
  test.use({ changes: { site: { maintenance: [WINDOW] } } });

  test('is a quiet line above the page with its reason and its end in the visitor’s time zone, and lines stay', async ({
    page,
  }) => {
    await page.goto('/');
    const note = page.locator('#maintenance-note');
    await expect(note).toHaveText(
      '系统维护中，部分功能可能暂时无法使用。 更换磁盘 预计结束时间：12月1日 10:00',
    );
    await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
    await page.goto('/t/localhost');
    await expect(page.getByRole('button', { name: '点我进入' })).toBeVisible();
    await expect(note).toContainText('更换磁盘');
    await page.goto('/r');
    await expect(page).toHaveURL(/line\d\.localhost/);
  });

  test('has no axe violation, and its texts fit', IN_CHROMIUM, async ({ page }) => {
    for (const [lang, width] of [
      ['en', 360],
      ['zh-TW', 1440],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/?lang=${lang}`);
      await expect(page.locator('#maintenance-note')).toBeVisible();
      expect(await findMisfits(page)).toEqual([]);
    }
    expect(await findViolations(page)).toEqual([]);
  });
});

test.describe('a maintenance that closes the site', () => {
  test.use({ changes: { site: { maintenance: [{ ...WINDOW, closes: true }] } } });

  for (const [lang, title, reason, end] of [
    ['zh-CN', '系统维护中', '更换磁盘', '预计结束时间：12月1日 10:00'],
    ['zh-TW', '系統維護中', '更換磁碟', '預計結束時間：12月1日 上午10:00'],
    ['en', 'Closed for maintenance', 'New disks', 'Expected to end: December 1 at 10:00 AM'],
  ] as const) {
    test(`is a notice instead of lines and redirects, in ${lang}`, IN_CHROMIUM, async ({ page }) => {
      const asked = watchRequests(page);
      for (const path of PAGES) {
        await page.goto(`${path}?lang=${lang}`);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
        await expect(page.getByText(reason)).toBeVisible();
        await expect(page.getByText(end)).toBeVisible();
        expect(await page.content()).not.toMatch(/(?:line|backup)1\.localhost/);
      }
      expect(asked.filter((path) => /api|json|speed|assets/.test(path))).toEqual([]);
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await findMisfits(page)).toEqual([]);
      }
      expect(await findViolations(page)).toEqual([]);
    });
  }

  // Playwright cannot switch JavaScript off in a Firefox that is not its own.
  test.describe('without JavaScript', IN_CHROMIUM, () => {
    test.use({ javaScriptEnabled: false });

    test('says its end in UTC', async ({ page }) => {
      await page.goto('/r?lang=en');
      await expect(page.getByText('Expected to end: December 1 at 02:00 AM UTC')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', '');
    });
  });
});

test('a maintenance that closes the site while a page is open takes the rows away, and nothing brings them back', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_CALL);
  const answer = await holdBack(page, '**/api/hostnames', CLOSED);
  await page.goto('/');
  await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
  answer();
  await expect(page.getByRole('alert')).toHaveText(CLOSED_TEXT);
  await expect(page.locator('[data-row]')).toHaveCount(0);
});

test('/r and /t say that the site is closed where only their call is told so', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_CALL);
  const asked = watchRequests(page);
  await page.route(FAILED_CALL, (route) => route.fulfill(CLOSED));
  for (const path of ['/r', '/t/localhost']) {
    await page.goto(path);
    await expect(page.getByRole('alert')).toHaveText(CLOSED_TEXT);
    await expect(page.getByRole('button')).toHaveCount(0);
  }
  expect(asked.filter((path) => path.includes('speed'))).toEqual([]);
});

test(
  '/r stops on its way to a fallback line where it learns late that the site is closed',
  IN_CHROMIUM,
  async ({ page, expectedErrors }) => {
    expectedErrors.push(FAILED_CALL);
    const answer = await holdBack(page, '**/api/hostnames', CLOSED);
    // The document of the line does not come, so that the browser has not left yet.
    await page.route(/backup\d\.localhost:\d+\/$/, () => undefined);
    const leaving = page.waitForRequest(/backup\d\.localhost:\d+\/$/);
    await page.goto('/r', { waitUntil: 'commit' });
    await leaving;
    answer();
    await expect(page.getByRole('alert')).toHaveText(CLOSED_TEXT);
    expect(new URL(page.url()).pathname).toBe('/r');
  },
);
