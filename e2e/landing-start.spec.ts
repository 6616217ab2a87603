import type { Page } from '@playwright/test';
import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import { holdBack } from './support/hold-back.ts';
import { LINES } from './support/test.ts';
import { expect, readEvents, test } from './support/observed-test.ts';

// What a visitor sees and does before React is there: its script comes when the test lets it.

const REACT = '**/assets/show-page-*.js';
const MEASURED = /^\d+ms$/;

const speeds = (page: Page) => page.locator('[data-row] [data-speed]');

/** Holds React's script back until the returned function is called. */
function holdReact(page: Page): Promise<() => void> {
  return holdBack(page, REACT);
}

test('rows show their numbers and can be entered while React is on its way, and stay as they are when it comes', async ({
  page,
  lines,
  expectedErrors,
}) => {
  expectedErrors.push(/speed\.php/);
  lines.set('line3.localhost', { fault: 'wrong-marker' });
  lines.set('line4.localhost', { fault: 'refuse' });
  const release = await holdReact(page);
  await page.goto('/');
  await expect(speeds(page).filter({ hasText: MEASURED })).toHaveCount(2);
  await expect(speeds(page).filter({ hasText: '大于5秒' })).toHaveCount(2);
  await expect(page.locator('[data-row][data-fastest] a[href]')).toHaveCount(1);
  // The line of the wrong server cannot be entered.
  const wrong = page.locator('[data-row]').filter({ hasText: '未通过验证' });
  await expect(wrong.getByRole('link')).toBeDisabled();
  await expect(wrong.locator('[href]')).toHaveCount(0);
  const before = await readRows(page);
  release();
  await whenReactIsThere(page);
  expect(await readRows(page)).toEqual(before);
  await expect(wrong.locator('button[aria-haspopup="dialog"]')).toBeEnabled();
  // Firefox itself asks a line again that refuses.
  for (const host of LINES.slice(0, 3)) expect(lines.requests(host).probes).toBe(1);
});

test(
  'a region that turns out to be restricted leaves no link in the rows, although React is on its way',
  FIREFOX_IN_SOAK,
  async ({ page, expectedErrors }) => {
    expectedErrors.push(/api\/hostnames/);
    const answer = await holdBack(page, '**/api/hostnames', { status: 451, json: {} });
    const release = await holdReact(page);
    await page.goto('/');
    // The fallback hosts, after 3 s.
    await expect(page.locator('[data-row] a[href]')).toHaveCount(4);
    answer();
    await expect(page.locator('[data-row] a[href]')).toHaveCount(0);
    await expect(speeds(page)).toHaveText(Array(4).fill('测速中'));
    release();
    await expect(page.getByRole('alert')).toHaveText('您所在的地区无法使用本服务');
  },
);

test('a line that is entered before React is there counts once', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('click', (event) => event.preventDefault(), true);
    // Firefox does not show a test what a beacon carries.
    navigator.sendBeacon = (_, body) => {
      if (typeof body === 'string') sessionStorage.setItem('report', body);
      return true;
    };
  });
  const release = await holdReact(page);
  await page.goto('/');
  await page.getByRole('link', { name: '官方线路2', exact: true }).click();
  // A moment after the click, because the browser opens the line first.
  await expect
    .poll(async () => JSON.parse((await page.evaluate(() => sessionStorage.getItem('report'))) ?? '{}'))
    .toMatchObject({ entered: expect.any(Number) });
  release();
  await whenReactIsThere(page);
  expect(await readEvents(page)).toEqual([
    ['site_referrer', expect.anything()],
    ['official_line', { device: 'pc', function: 'official_line', index: 2 }],
  ]);
});

test('retest works once a number is on screen, whatever other lines do, before React is there and after', async ({
  page,
  lines,
}) => {
  for (const host of LINES.slice(1)) lines.set(host, { fault: 'hang' });
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  const countRuns = () => calls.filter((path) => path === '/api/hostnames').length;
  const release = await holdReact(page);
  // The clock hardly moves: nothing that waits for seconds happens.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.goto('/');
  const retest = page.getByRole('button', { name: '重新测速' });
  await expect(async () => {
    await page.clock.runFor(1);
    await expect(speeds(page).filter({ hasText: MEASURED })).toHaveCount(1, { timeout: 100 });
  }).toPass();
  await expect(retest).toBeEnabled();
  await retest.click();
  await expect.poll(() => lines.requests('line1.localhost').probes).toBe(2);
  // The run before is aborted.
  await expect.poll(() => lines.requests('line2.localhost').aborted).toBe(1);
  await page.clock.resume();
  await expect(speeds(page).filter({ hasText: MEASURED })).toHaveCount(1);
  release();
  await whenReactIsThere(page);
  await expect(retest).toBeEnabled();
  await retest.click();
  await expect.poll(() => lines.requests('line1.localhost').probes).toBe(3);
  expect(countRuns()).toBe(3);
  expect((await readEvents(page)).map(([name]) => name)).toEqual(['site_referrer', 'retest', 'retest']);
});

test('a click on a button waits for React, is done then, and counts once', async ({ page }) => {
  const release = await holdReact(page);
  await page.goto('/');
  await page.getByRole('tab', { name: '钱包教程' }).click();
  expect(await readEvents(page)).toEqual([['site_referrer', expect.anything()]]);
  release();
  await expect(page.getByRole('tabpanel', { name: '钱包教程' })).toBeVisible();
  expect((await readEvents(page)).map(([name]) => name)).toEqual(['site_referrer', 'tab_wallet']);
});

test('React does not start at a tap on a link, which works without it, but at one on a button', async ({
  page,
  lines,
}) => {
  for (const host of LINES) lines.set(host, { fault: 'hang' });
  await page.addInitScript(() => addEventListener('click', (event) => event.preventDefault(), true));
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.goto('/');
  await expect(page.locator('[data-row] a[href]')).toHaveCount(4);
  await page.getByRole('link', { name: '官方线路2', exact: true }).click();
  await page.clock.runFor(500);
  expect(await hasReact(page)).toBe(false);
  await page.getByRole('tab', { name: '钱包教程' }).click();
  await expect(async () => {
    await page.clock.runFor(10);
    await expect(page.getByRole('tabpanel', { name: '钱包教程' })).toBeVisible({ timeout: 100 });
  }).toPass();
  expect(await hasReact(page)).toBe(true);
  await expect(speeds(page)).toHaveText(Array(4).fill('测速中'));
});

test('without its React script the page has plain links', async ({ page, expectedErrors }) => {
  expectedErrors.push(/show-page-|dynamically imported module/);
  await page.route(REACT, (route) => route.abort());
  await page.goto('/');
  const line = page.getByRole('link', { name: '官方线路4', exact: true });
  await expect(line).toHaveAttribute('href', /^http:\/\/www\d+\.backup4\.localhost/);
  await expect(page.getByRole('button', { name: '重新测速' })).toBeHidden();
});

/** Waits until React has taken the page over: only it enables what copies an address. That of a foreign server is never copied. */
async function whenReactIsThere(page: Page): Promise<void> {
  await expect(page.locator('[data-row] [data-silent="copy"]:enabled').first()).toBeVisible();
}

/** Whether React has begun to take the page over: it marks the element that it renders into. */
function hasReact(page: Page): Promise<boolean> {
  return page
    .locator('#root')
    .evaluate((root) => Object.keys(root).some((key) => key.startsWith('__reactContainer')));
}

/** What the rows show and where they lead, without what only React adds to them. */
function readRows(page: Page): Promise<readonly unknown[]> {
  return page.locator('[data-row]').evaluateAll((rows) =>
    rows.map((row) => ({
      grade: row.getAttribute('data-grade'),
      fastest: row.getAttribute('data-fastest'),
      texts: [...row.querySelectorAll('[data-text]')].map((part) => part.textContent),
      link: Object.fromEntries(
        [...(row.querySelector('a[href]')?.attributes ?? [])].map(({ name, value }) => [name, value]),
      ),
    })),
  );
}
