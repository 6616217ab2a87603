import type { Locator, Page } from '@playwright/test';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { findMisfits } from './support/find-misfits.ts';
import { holdBack } from './support/hold-back.ts';
import { startFront } from './support/start-front.ts';
import { expect, IN_RESTRICTED_REGION, test } from './support/test.ts';

const MEASURED = /^\d+ms$/;
const ready = (page: Page): Promise<void> => page.locator('[data-phase="ready"]').waitFor();
const speeds = (page: Page) => page.locator('[data-row] [data-speed]');

test.describe('the links config', () => {
  test('lets nothing else leave before it has loaded, and takes the place of the rendered links', async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const release = await holdBack(page, '**/json/link.json', {
      json: { service: 'https://other.example/chat' },
    });
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toBeDisabled();
    expect(asked.filter((path) => path.startsWith('/api') || path === '/speed.php')).toEqual([]);
    release();
    await expect(speeds(page).first()).toHaveText(MEASURED);
    expect(asked.filter((path) => path === '/json/link.json')).toHaveLength(1);
    const service = page.getByRole('banner').getByRole('link', { name: '在线客服' });
    await expect(service).toHaveAttribute('href', 'https://other.example/chat');
    await expect(page.getByRole('link', { name: '推荐下载北辰浏览器' })).toBeDisabled();
  });

  test(
    'is tried three times; then the page says so, and can try again',
    FIREFOX_IN_SOAK,
    async ({ page, expectedErrors }) => {
      expectedErrors.push(/link\.json/);
      let tries = 0;
      let isBroken = true;
      await page.route('**/json/link.json', (route) => {
        tries += 1;
        return isBroken ? route.fulfill({ status: 503, body: '' }) : route.continue();
      });
      await page.goto('/');
      const alert = page.getByRole('alert');
      await expect(alert).toContainText('线路加载失败，请检查网络后重试');
      expect(tries).toBe(3);
      await expect(alert.getByRole('link', { name: '在线客服', exact: true })).toBeEnabled();
      await expect(page.locator('[data-row]').first()).toBeHidden();
      isBroken = false;
      await alert.getByRole('button', { name: '重试' }).click();
      await expect(alert).toHaveCount(0);
      await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
    },
  );

  for (const when of ['at the second try', 'when the visitor tries again']) {
    test(`that stalls is asked for by a new request ${when}`, async ({ page, portal, expectedErrors }) => {
      expectedErrors.push(/link\.json/);
      const front = await startFront(portal.url, {});
      const countTries = () => front.requests.filter((path) => path === '/json/link.json').length;
      // The preload, whose answer the first try waits for.
      front.stallNext(/^\/json\/link\.json/);
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
      await page.goto(front.url);
      await expect.poll(countTries).toBe(1);
      const repair =
        when === 'at the second try' ? undefined : front.route(/^\/json\/link\.json/, { status: 503 });
      await page.clock.runFor(9_999);
      expect(countTries()).toBe(1);
      await page.clock.runFor(501);
      await expect.poll(countTries).toBe(2);
      if (repair) {
        const alert = page.getByRole('alert');
        await runUntil(page, () => expect(alert).toContainText('线路加载失败', { timeout: 100 }));
        expect(countTries()).toBe(3);
        repair();
        await alert.getByRole('button', { name: '重试' }).click();
      }
      await runUntil(page, () =>
        expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED], { timeout: 100 }),
      );
      expect(countTries()).toBe(repair ? 4 : 2);
      front.close();
    });
  }

  test(
    'that is slow is waited for 3 s where the browser has kept one, and one that fails is replaced by it, once it is checked',
    FIREFOX_IN_SOAK,
    async ({ page, expectedErrors }) => {
      await page.goto('/');
      await ready(page);
      await page.evaluate(() => {
        localStorage.setItem('waypost.links', '{"service":"https://kept.example/"}');
        sessionStorage.clear();
      });
      const release = await holdBack(page, '**/json/link.json', {
        json: { service: 'https://new.example/' },
      });
      await page.reload({ waitUntil: 'commit' });
      const service = page.getByRole('banner').getByRole('link', { name: '在线客服' });
      await expect(service).toHaveAttribute('href', 'https://kept.example/');
      await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
      await expect(page.getByRole('alert')).toHaveCount(0);
      release();
      await expect(service).toHaveAttribute('href', 'https://new.example/');
      await ready(page);

      expectedErrors.push(/link\.json/);
      await page.unroute('**/json/link.json');
      await page.evaluate(() => {
        const script = 'javascript:alert(1)';
        const links = {
          ub: script,
          esb: script,
          wallet: script,
          telegram: script,
          service: 'https://kept.example/',
        };
        localStorage.setItem('waypost.links', JSON.stringify(links));
        const results = sessionStorage.getItem('waypost.results') ?? '';
        sessionStorage.setItem(
          'waypost.results',
          results.replaceAll(/"http:[^"]*:\d+"/g, JSON.stringify(script)),
        );
      });
      await page.route('**/json/link.json', (route) => route.fulfill({ status: 503, body: '' }));
      await page.reload();
      await expect(page.getByRole('alert')).toContainText('暂时显示上次的内容');
      await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
      await expect(service).toHaveAttribute('href', 'https://kept.example/');
      await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
      await page.unroute('**/json/link.json');
      await page.getByRole('button', { name: '重试' }).click();
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  );
});

/** Lets the page's clock, which stands still, run in steps until something holds. */
async function runUntil(page: Page, check: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(100);
    await check();
  }).toPass();
}

test(
  'a lost start script is a failure like any other, and trying again loads the page',
  FIREFOX_IN_SOAK,
  async ({ page, expectedErrors }) => {
    expectedErrors.push(/start-/);
    await page.route('**/assets/start-*.js', (route) => route.abort());
    await page.goto('/');
    await expect(page.getByRole('alert')).toContainText('线路加载失败');
    await page.unroute('**/assets/start-*.js');
    await page.getByRole('button', { name: '重试' }).click();
    await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
  },
);

test('a region that turns out to be restricted leaves the notice alone, and takes the fallback lines away where it is known late', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/api\/hostnames/);
  const answer = await holdBack(page, '**/api/hostnames', { status: 451, json: {} });
  await page.goto('/');
  await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED]);
  answer();
  const expectClosed = async (): Promise<void> => {
    await expect(page.getByRole('alert')).toHaveText('您所在的地区无法使用本服务');
    await expect(page.getByRole('heading')).toHaveText(['此地区无法使用']);
    // Neither rows nor downloads, no QR code, and no image but the logo.
    await expect(page.getByRole('main').locator('a, button, img, svg')).toHaveCount(0);
    await expect(page.getByRole('img')).toHaveCount(1);
    await expect(page.getByRole('contentinfo')).toContainText('18+');
  };
  await expectClosed();
  // Now the answer comes at once.
  await page.reload();
  await expectClosed();
});

for (const [what, scripts] of [
  ['its own script', /\/assets\/main-/],
  ['any script', /\/assets\/(?:main|start)-/],
] as const) {
  test(`without ${what} the page has plain links, as for those who have no JavaScript`, async ({
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(scripts);
    const lost = page.waitForEvent('requestfailed');
    // Whichever of the two scripts is known first.
    await page.route(/\/assets\/start-/, async (route) => {
      await lost;
      await route.continue();
    });
    await page.route(scripts, (route) => route.abort());
    // They must be there before the 10 s that scripts which hang are waited for.
    await page.addInitScript(() => {
      const setTimer = window.setTimeout.bind(window);
      const skipLong = (act: TimerHandler, ms?: number) => (ms === 10_000 ? 0 : setTimer(act, ms));
      Object.assign(window, { setTimeout: skipLong });
    });
    await page.goto('/');
    await expectPlainLinks(page);
  });
}

test('scripts that hang are waited for 10 s, and take the page back when they come', async ({ page }) => {
  const release = await holdBack(page, /\/assets\/(?:main|start)-/);
  await page.clock.install();
  await page.goto('/', { waitUntil: 'commit' });
  await expect(speeds(page)).toHaveText(['测速中', '测速中', '测速中', '测速中']);
  await page.clock.runFor(10_000);
  await expectPlainLinks(page);
  release();
  await expect(page.getByRole('button', { name: '重新测速' })).toBeVisible();
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(speeds(page)).toHaveText([MEASURED, MEASURED, MEASURED, MEASURED], { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toHaveCount(1);
});

test.describe('the announcement', () => {
  test('has one line on a phone, and a tap shows the rest', IN_CHROMIUM, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await page.goto('/');
    const text = page.getByText('这是演示站点');
    const more = page.getByRole('link', { name: '查看详情' });
    const heightOf = async () => (await text.boundingBox())?.height ?? 0;
    const lineHeight = await heightOf();
    await expect(more).toBeHidden();
    await text.click();
    await expect(more).toBeVisible();
    expect(await heightOf()).toBeGreaterThanOrEqual(2 * lineHeight);
    expect(await findMisfits(page)).toEqual([]);
  });

  test(
    'is gone once dismissed, stays away without moving the page, and comes back when its text has changed',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      await page.goto('/');
      const announcement = page.getByRole('complementary', { name: '公告' });
      await expect(announcement).toContainText('这是演示站点');
      await expect(announcement.getByRole('link', { name: '查看详情' })).toHaveAttribute(
        'href',
        /news\.example\.com/,
      );
      await announcement.getByRole('button', { name: '关闭' }).click();
      await expect(announcement).toBeHidden();
      await page.reload({ waitUntil: 'commit' });
      await expect(page.getByRole('heading', { name: '官方线路' })).toBeVisible();
      await expect(announcement).toBeHidden();
      await ready(page);
      await expect(announcement).toBeHidden();
      // Another text is another announcement.
      await page.evaluate(() => localStorage.setItem('waypost.announcement', 'an older text'));
      await page.reload();
      await expect(announcement).toBeVisible();
    },
  );
});

test.describe('in the browser of another app', () => {
  test.use({ userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49' });

  test('a hint says how to leave it, until it is dismissed', FIREFOX_IN_SOAK, async ({ page }) => {
    await page.goto('/');
    const hint = page.getByText('当前应用可能会拦截下载和跳转');
    await expect(hint).toBeVisible();
    await expect(page.getByRole('button', { name: '复制本页地址' })).toBeVisible();
    const box = page.getByRole('complementary', { name: '复制本页地址' });
    await test.step('it covers nothing that a visitor wants to read or to click', async () => {
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await findCovered(box), `${width} px wide`).toEqual([]);
        expect(await findMisfits(page), `${width} px wide`).toEqual([]);
      }
    });
    await box.getByRole('button', { name: '关闭' }).click();
    await expect(hint).toBeHidden();
    await page.reload();
    await ready(page);
    await expect(hint).toBeHidden();
  });
});

/** The headlines, links, buttons and rows that lie under a box, at least in part. */
function findCovered(box: Locator): Promise<readonly string[]> {
  return box.evaluate((cover) => {
    const over = cover.getBoundingClientRect();
    return [...document.querySelectorAll('h1, h2, a, button, [data-row]')]
      .filter((element) => {
        const { top, bottom, width } = element.getBoundingClientRect();
        return !cover.contains(element) && width > 1 && top < over.bottom && bottom > over.top;
      })
      .map(({ textContent }) => textContent);
  });
}

// Playwright cannot switch JavaScript off in a Firefox that is not its own.
test.describe('without JavaScript', IN_CHROMIUM, () => {
  test.use({ javaScriptEnabled: false });

  test('the page has its links and the fallback lines, on a phone and on a desktop', async ({ page }) => {
    await page.goto('/');
    for (const width of [390, 1280]) {
      await test.step(`${width} px wide`, async () => {
        await page.setViewportSize({ width, height: 800 });
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        for (const name of ['北辰浏览器 iOS', '钱包教程', '极光安卓浏览器', '官方频道', '在线客服']) {
          await expect(page.getByRole('link', { name }).first()).toBeVisible();
        }
        const days = Math.floor(Date.now() / 86_400_000);
        for (const number of [1, 2, 3, 4]) {
          const line = page.getByRole('link', { name: `官方线路${number}`, exact: true });
          await expect(line).toHaveAttribute(
            'href',
            new RegExp(`^http://www${days}\\.backup${number}\\.localhost:\\d+$`),
          );
          expect((await line.boundingBox())?.height, 'a finger can hit it').toBeGreaterThanOrEqual(44);
        }
        await expect(page.getByRole('button')).toHaveCount(0);
      });
    }
  });
});

test.describe('a visitor from a restricted region', () => {
  test.use(IN_RESTRICTED_REGION);

  test('gets a notice instead of lines and downloads, and no script', FIREFOX_IN_SOAK, async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/');
    await expect(page.getByText('您所在的地区无法使用本服务')).toBeVisible();
    await expect(page.locator('[data-row]')).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toContainText('18+');
    expect(asked.filter((path) => /\.js$|json|api/.test(path))).toEqual([]);
  });
});

/** What those see who have no JavaScript. */
async function expectPlainLinks(page: Page): Promise<void> {
  const line = page.getByRole('link', { name: '官方线路4', exact: true });
  await expect(line).toHaveAttribute('href', /^http:\/\/www\d+\.backup4\.localhost/);
  await expect(line).toBeVisible();
  await expect(page.getByRole('button', { name: '重新测速' })).toBeHidden();
}
