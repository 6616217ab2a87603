import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { holdBack } from './support/hold-back.ts';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/test.ts';

const LINES = ['line1', 'line2', 'line3', 'line4'].map((name) => `${name}.localhost`);
const BACKUPS = ['backup1', 'backup2', 'backup3', 'backup4'].map((name) => `${name}.localhost`);
const MEASURED = /^\d+ms$/;

const rows = (page: Page): Locator => page.locator('[data-row]');
const speeds = (page: Page): Locator => page.locator('[data-row] [data-speed]');
const rowOf = (page: Page, host: string): Locator =>
  rows(page).filter({ has: page.locator(`a[href*="//${host}:"], a[href*=".${host}:"]`) });
const ready = (page: Page): Promise<void> => page.locator('[data-phase="ready"]').waitFor();

test('the rows say "testing" at first, and fill one by one as results arrive', async ({ page }) => {
  const held: (() => void)[] = [];
  await page.route('**/speed.php', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await stopClock(page);
  await page.goto('/');
  await expect.poll(() => held.length).toBe(4);
  await expect(speeds(page)).toHaveText(['测速中', '测速中', '测速中', '测速中']);
  for (const [index, release] of held.entries()) {
    release();
    await expect(async () => {
      // The browser's own timing of a probe is waited for, in the page's time.
      await page.clock.runFor(50);
      await expect(speeds(page).filter({ hasText: MEASURED })).toHaveCount(index + 1, { timeout: 1_000 });
    }).toPass();
  }
});

test('the links are disabled only while their address is not known', FIREFOX_IN_SOAK, async ({ page }) => {
  const release = await holdBack(page, '**/api/hostnames');
  await page.goto('/');
  await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toBeDisabled();
  release();
  await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toBeEnabled();
});

test('the fastest valid row is marked, in words, one that fails says why, and if all fail the panel says so', async ({
  page,
  lines,
  expectedErrors,
}) => {
  expectedErrors.push(/speed\.php/);
  lines.set('line1.localhost', { fault: 'wrong-marker' });
  lines.set('line2.localhost', { fault: 'refuse' });
  lines.set('line3.localhost', { delayMs: 10 });
  lines.set('line4.localhost', { delayMs: 900 });
  await page.goto('/');
  await ready(page);
  await expect(rowOf(page, 'line3.localhost')).toContainText('最快');
  await expect(page.getByText('最快', { exact: true })).toHaveCount(1);
  await expectFailed(rowOf(page, 'line2.localhost'), '无法连接');
  lines.set('line4.localhost', { fault: 'hang' });
  await page.getByRole('button', { name: '重新测速' }).click();
  await expectFailed(rowOf(page, 'line4.localhost'), '连接超时');
  const status = page.locator('#lines-status');
  await expect(status).toHaveText('测速完成，数值越小越快');
  for (const host of LINES) lines.set(host, { fault: 'refuse' });
  await page.getByRole('button', { name: '重新测速' }).click();
  await test.step('with the reason, and three ways on', async () => {
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('暂时没有可用的线路');
    await expect(alert).toContainText('可能受网络限制');
    await expect(alert.getByRole('link')).toHaveText(['在线客服', '北辰浏览器']);
    for (const link of await alert.getByRole('link').all())
      await expect(link).toHaveAttribute('href', /^https:/);
    for (const host of LINES) lines.set(host, {});
    await page.getByRole('button', { name: '重新测速' }).click();
    await expect(alert).toHaveCount(0);
  });
});

test('the page says that it has measured when every row has ended, although a call still hangs', async ({
  page,
  lines,
}) => {
  for (const host of BACKUPS) lines.set(host, { delayMs: 20 });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.route('**/api/hostnames', () => undefined);
  await page.goto('/');
  const status = page.locator('#lines-status');
  await expect(status).toHaveText('正在为您测速，请稍候…');
  await expect(async () => {
    await page.clock.runFor(500);
    await expect(status).toHaveText('测速完成，数值越小越快', { timeout: 100 });
  }).toPass();
  await expect(page.locator('[data-phase="loading"]')).toBeVisible();
});

test(
  'beams of light lead to the rows while they are measured, and not where nothing may move',
  IN_CHROMIUM,
  async ({ page, lines, expectedErrors }) => {
    expectedErrors.push(/404 .*link\.json/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const beams = page.locator('body > div[style]');
    for (const host of LINES) lines.set(host, { delayMs: 1_500 });
    await page.goto('/');
    await ready(page);
    expect(asked.filter((url) => url.includes('start-beams'))).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await expect(beams).toHaveCount(4);
    const moves = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(
          ({ effect }) => effect instanceof KeyframeEffect && effect.target?.parentElement === document.body,
        )
        .flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes())
        .flatMap((frame) => Object.keys(frame)),
    );
    const named = new Set(moves.filter((name) => !/offset|easing|composite/i.test(name)));
    expect([...named].toSorted()).toEqual(['opacity', 'transform']);
    await ready(page);
    await expect(beams).toHaveCount(0);
    const fail = await holdBack(page, '**/json/link.json*', { status: 404 });
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    await page.reload();
    await expect(beams).toHaveCount(4);
    fail();
    await expect(page.getByText('线路加载失败，请检查网络后重试')).toBeVisible();
    await expect(beams).toHaveCount(0);
  },
);

test.describe('a line of the wrong server', () => {
  const unproven = (page: Page): Locator => rows(page).filter({ hasText: '未通过验证' });
  const warning = (page: Page): Locator => page.getByRole('dialog', { name: /^官方线路\d未通过身份验证$/ });

  test('is entered at the second click only, and the fastest valid line is offered first', async ({
    page,
    context,
    lines,
  }) => {
    await page.addInitScript(() => {
      navigator.sendBeacon = (_, body) => {
        if (typeof body === 'string') sessionStorage.setItem('report', body);
        return true;
      };
    });
    for (const host of LINES) lines.set(host, { delayMs: 900 });
    lines.set('line3.localhost', { delayMs: 10 });
    lines.set('line2.localhost', { fault: 'wrong-marker' });
    await page.goto('/');
    await ready(page);
    const row = unproven(page);
    await expect(row.locator('[data-speed]')).toHaveText('大于5秒');
    await expect(row.locator('[href]')).toHaveCount(0);
    const number = await row.getAttribute('data-row');
    const enter = row.getByRole('button', { name: `官方线路${number}`, exact: true });
    await enter.click({ button: 'middle' });
    await enter.click();
    const better = warning(page).getByRole('link', { name: /^改用官方线路\d$/ });
    await expect(better).toBeFocused();
    await expect(better).toHaveAttribute('href', /\.line3\.localhost:/);
    await page.keyboard.press('Escape');
    await expect(warning(page)).toBeHidden();
    await expect(enter).toBeFocused();
    expect(context.pages()).toHaveLength(1);

    const events = () =>
      page.evaluate(() =>
        (window.dataLayer ?? [])
          .map((entry) => Array.from(entry as ArrayLike<unknown>))
          .filter(([, name]) => name === 'official_line')
          .map(([, , parameters]) => (parameters as { index: number }).index),
      );
    expect(await events()).toEqual([]);
    await page.keyboard.press('Enter');
    const anyway = warning(page).getByRole('link', { name: '仍要打开' });
    await expect(anyway).toHaveAttribute('rel', 'noopener');
    const [opened] = await Promise.all([context.waitForEvent('page'), anyway.click()]);
    await expect(opened).toHaveURL(/\.line2\.localhost:/);
    await expect(warning(page)).toBeHidden();
    expect(await events()).toEqual([Number(number)]);
    const sent = await page.waitForFunction(() => sessionStorage.getItem('report'));
    const report = JSON.parse((await sent.jsonValue()) ?? '') as {
      readonly entered: number;
      readonly results: readonly { readonly index: number; readonly outcome: string }[];
    };
    expect(report.results.find(({ index }) => index === report.entered)?.outcome).toBe('wrong-server');
  });

  test(
    'locks nobody out where all are: it offers a retest and customer service',
    FIREFOX_IN_SOAK,
    async ({ page, lines }) => {
      for (const host of LINES) lines.set(host, { fault: 'wrong-marker' });
      await page.goto('/');
      await ready(page);
      await expect(unproven(page)).toHaveCount(4);
      await unproven(page).first().getByRole('button', { name: '官方线路1', exact: true }).click();
      await expect(warning(page).getByRole('link', { name: '仍要打开' })).toHaveAttribute(
        'href',
        /\.line\d\./,
      );
      await expect(warning(page).getByRole('link', { name: '在线客服' })).toBeEnabled();
      for (const host of LINES) lines.set(host, {});
      await warning(page).getByRole('button', { name: '重新测速' }).click();
      await expect(warning(page)).toBeHidden();
      await expect(page.getByRole('button', { name: '重新测速' })).toBeFocused();
      await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
      await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toBeEnabled();
    },
  );

  test(
    'is not offered any more where the region turns out to be restricted',
    FIREFOX_IN_SOAK,
    async ({ page, lines, expectedErrors }) => {
      expectedErrors.push(/api\/hostnames/);
      for (const host of BACKUPS) lines.set(host, { fault: 'wrong-marker' });
      const answer = await holdBack(page, '**/api/hostnames', { status: 451, json: {} });
      await page.goto('/');
      await unproven(page).first().getByRole('button', { name: '官方线路1', exact: true }).click();
      await expect(warning(page)).toBeVisible();
      answer();
      await expect(page.getByRole('alert')).toHaveText('您所在的地区无法使用本服务');
      await expect(warning(page)).toHaveCount(0);
    },
  );
});

test('with fewer than four hostnames, the other rows are backups', async ({ page, lines }) => {
  let listed: readonly string[] = [];
  await page.route('**/api/hostnames', (route) => route.fulfill({ json: listed }));
  for (const count of [1, 3]) {
    await test.step(`with ${count}`, async () => {
      listed = LINES.slice(0, count).map((host) => `http://${host}:${lines.ports[0]}`);
      await page.goto('/');
      await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
      for (const [index, row] of (await rows(page).all()).entries()) {
        const hosts = index < count ? LINES.slice(0, count) : BACKUPS;
        const address = await row.getByRole('link').getAttribute('href');
        expect(hosts.some((host) => address?.includes(`.${host}:`))).toBe(true);
        await expect(row.getByText('备用', { exact: true })).toHaveCount(index < count ? 0 : 1);
      }
    });
  }
});

test('a hostname call that fails leaves four backups', FIREFOX_IN_SOAK, async ({ page, expectedErrors }) => {
  expectedErrors.push(/api\/hostnames/);
  await page.route('**/api/hostnames', (route) => route.fulfill({ status: 503, json: { error: {} } }));
  await page.goto('/');
  await expect(page.getByText('备用', { exact: true })).toHaveCount(4);
  await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
});

test('of more than four hostnames, four are shown', FIREFOX_IN_SOAK, async ({ page, lines }) => {
  const listed = [...LINES, ...BACKUPS].map((host) => `http://${host}:${lines.ports[0]}`);
  await page.route('**/api/hostnames', (route) => route.fulfill({ json: listed }));
  await page.goto('/');
  await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
  await expect(page.getByText('备用', { exact: true })).toHaveCount(0);
});

test(
  'loading ends 1.5 s after the hostname call, and measuring ends with the last result',
  FIREFOX_IN_SOAK,
  async ({ page, lines }) => {
    lines.set('line1.localhost', { fault: 'hang' });
    await stopClock(page);
    await page.goto('/');
    await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toBeEnabled();
    await page.clock.runFor(1_400);
    await expect(page.locator('[data-phase="loading"]')).toBeVisible();
    await page.clock.runFor(200);
    await expect(page.locator('[data-phase="ready"]')).toBeVisible();
    await expect(page.getByText('正在为您测速，请稍候…')).toBeVisible();
    await page.clock.runFor(4_000);
    await expect(page.getByText('测速完成')).toBeVisible();
  },
);

test(
  'retest works as soon as a row has something to show, although the hostname call hangs',
  FIREFOX_IN_SOAK,
  async ({ page, lines }) => {
    let calls = 0;
    await page.route('**/api/hostnames', () => {
      calls += 1;
    });
    await stopClock(page);
    await page.goto('/');
    const retest = page.getByRole('button', { name: '重新测速' });
    const probes = () => BACKUPS.map((host) => lines.requests(host).probes);
    await expect.poll(() => calls).toBe(1);
    await expect(retest).toBeDisabled();
    await page.clock.runFor(3_000);
    await expect.poll(probes).toEqual([1, 1, 1, 1]);
    await expect(retest).toBeEnabled();
    for (const run of [2, 3]) {
      await retest.click();
      await expect.poll(() => calls).toBe(run);
      await expect(speeds(page)).toHaveText(['测速中', '测速中', '测速中', '测速中']);
    }
    await page.clock.runFor(3_000);
    await expect.poll(probes).toEqual([2, 2, 2, 2]);
  },
);

test('the rows keep their results for 10 s and their hosts for good', async ({ page, lines }) => {
  await page.goto('/');
  await ready(page);
  await test.step('each row is a real link, named exactly, to a tab of its own', async () => {
    await expect(rows(page)).toHaveCount(4);
    for (const number of [1, 2, 3, 4]) {
      const link = page.getByRole('link', { name: `官方线路${number}`, exact: true });
      await expect(link).toHaveAttribute('target', '_blank');
      await expect(link).toHaveAttribute('rel', 'noopener');
      await expect(link).toHaveAttribute(
        'href',
        new RegExp(`^http://www\\d+\\.line\\d\\.localhost:${lines.ports[0]}$`),
      );
    }
  });
  await test.step('a second visit within 10 s shows the same results without a probe', async () => {
    const shown = await timesByHost(page);
    await page.reload();
    await ready(page);
    expect(await timesByHost(page)).toEqual(shown);
    for (const host of LINES) expect(lines.requests(host).probes).toBe(1);
  });
  await test.step('retest clears the results and measures again, and the hosts keep their rows', async () => {
    const listAddresses = () =>
      page.locator('[data-row] a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const before = await listAddresses();
    for (const host of LINES) lines.set(host, { delayMs: 400 });
    const release = await holdBack(page, '**/speed.php');
    await page.getByRole('button', { name: '重新测速' }).click();
    await expect(speeds(page)).toHaveText(['测速中', '测速中', '测速中', '测速中']);
    release();
    await expect(speeds(page)).toHaveText([/^[4-9]\d\dms$|^\d{4}ms$/, /ms$/, /ms$/, /ms$/]);
    expect(await listAddresses()).toEqual(before);
    for (const host of LINES) expect(lines.requests(host).probes).toBe(2);
  });
});

test(
  'a row that is never measured shows an estimate, then "above 20 seconds"',
  FIREFOX_IN_SOAK,
  async ({ page, lines }) => {
    for (const host of LINES) lines.set(host, { fault: 'hang' });
    await stopClock(page);
    await page.goto('/');
    await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toBeEnabled();
    // A measurement is thrown away when the page is hidden; nothing else leaves a row at zero for so long.
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.clock.runFor(3_000);
    await expect(speeds(page).first()).toHaveText(MEASURED);
    await expect(rows(page).first()).toContainText('估计');
    await page.clock.runFor(19_000);
    await expect(speeds(page)).toHaveText(['大于20秒', '大于20秒', '大于20秒', '大于20秒']);
  },
);

/** The row says that its line failed, why, and may be entered all the same. */
async function expectFailed(row: Locator, cause: string): Promise<void> {
  await expect(row.locator('[data-speed]')).toHaveText('大于5秒');
  await expect(row).toContainText(cause);
  await expect(row.getByRole('link')).toBeEnabled();
}

/** Lets the page's time pass only when a test says so. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
}

async function timesByHost(page: Page): Promise<Readonly<Record<string, string>>> {
  const entries = await rows(page).evaluateAll((items) =>
    items.map((item) => [
      item.querySelector('a')?.getAttribute('href') ?? '',
      item.querySelector('[data-speed]')?.textContent ?? '',
    ]),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}
