import { type Page, devices } from '@playwright/test';
import { ANALYTICS_EVENTS, SILENT_CONTROLS } from '../src/contract/page/analytics-events.ts';
import * as storageKeys from '../src/contract/page/storage-keys.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import {
  expect,
  readDataLayer,
  readEvents,
  readStorageKeys,
  test,
  waitForLines,
} from './support/observed-test.ts';

const PHONE = { width: 390, height: 780 };
const DESKTOP = { width: 1280, height: 900 };
const WECHAT = `${devices['iPhone 13'].userAgent} MicroMessenger/8.0.49`;

const CONTROL_EVENTS = Object.entries(ANALYTICS_EVENTS)
  .filter(([, { source }]) => source === 'control')
  .map(([name]) => name);

// In both browsers: what leaves the page, and the events that browsers fire differently. Which control has which event is the
// same for both, and is in one.

test.beforeEach(async ({ page }) => {
  // What a link leads to is no matter here: the page stays, and no tab is opened.
  await page.addInitScript(() => addEventListener('click', (event) => event.preventDefault(), true));
});

for (const [device, viewport] of [
  ['mobile', PHONE],
  ['pc', DESKTOP],
] as const) {
  test.describe(`as ${device}`, device === 'mobile' ? IN_CHROMIUM : {}, () => {
    test.use({ viewport });

    test(
      'every control is in the catalogue, as an event or as silent, and fires its own event, once',
      FIREFOX_IN_SOAK,
      async ({ page }) => {
        await page.goto('/');
        await waitForLines(page);
        const controls = await listControls(page);
        for (const { event, silent, text } of controls) {
          expect.soft([...CONTROL_EVENTS, ...SILENT_CONTROLS], text).toContain(event ?? silent);
          expect.soft(event === undefined || silent === undefined, text).toBe(true);
        }
        const listed = new Set(controls.flatMap(({ event }) => event ?? []));
        expect([...listed].toSorted()).toEqual(CONTROL_EVENTS.toSorted());

        const main = page.getByRole('main');
        // Another one first: the tab of 北辰浏览器 is selected already.
        const downloads = ['钱包教程', '北辰浏览器', '极光安卓浏览器', '官方频道'];
        await page.getByRole('banner').getByRole('link', { name: '在线客服' }).click();
        for (const name of downloads) {
          await main
            .getByRole(device === 'pc' ? 'tab' : 'link', { name })
            .first()
            .click();
        }
        for (const number of [1, 2, 3, 4]) {
          await main.getByRole('link', { name: `官方线路${number}`, exact: true }).click();
        }
        await main.getByRole('button', { name: '重新测速' }).click();
        await waitForLines(page);
        await main.getByRole('link', { name: /^推荐下载/ }).click();
        await main.getByRole('link', { name: /^如遇游戏/ }).click();

        const plain = (name: string) => [name, { device, function: name }];
        expect(await readEvents(page)).toEqual([
          ['site_referrer', { device, function: 'site_referrer', referrer: '' }],
          plain('header_service'),
          plain('tab_wallet'),
          plain('tab_ub'),
          plain('tab_e_plus'),
          plain('tab_telegram'),
          ...[1, 2, 3, 4].map((index) => ['official_line', { device, function: 'official_line', index }]),
          plain('retest'),
          plain('tip_ub'),
          plain('tip_service'),
        ]);
      },
    );
  });
}

test.describe('inside another app, where consent is required', () => {
  test.use({ viewport: PHONE, userAgent: WECHAT, observation: { consent: 'required' } });

  test('every control of the notices is in the catalogue', IN_CHROMIUM, async ({ page, expectedErrors }) => {
    expectedErrors.push(/link\.json/);
    await page.route('**/json/link.json', (route) => route.abort());
    await page.goto('/');
    const bar = page.getByRole('region', { name: '隐私设置' });
    await expect(page.getByRole('button', { name: '重试' })).toBeVisible();
    await expect(bar).toBeVisible();
    const controls = await listControls(page);
    for (const { event, silent, text } of controls) {
      expect.soft([...CONTROL_EVENTS, ...SILENT_CONTROLS], text).toContain(event ?? silent);
    }
    const silent = new Set(controls.flatMap((control) => control.silent ?? []));
    expect([...silent]).toEqual(
      expect.arrayContaining(['consent', 'links-retry', 'in-app-hint', 'announcement']),
    );
  });
});

test.describe('on a desktop', () => {
  test.use({ viewport: DESKTOP });

  test(
    'silent controls, disabled ones and the tab that is selected already fire nothing',
    IN_CHROMIUM,
    async ({ page }) => {
      // The hostname call never ends: until the backups step in no row has anything to show, and retest is disabled.
      await page.route('**/api/hostnames', () => undefined);
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
      await page.goto('/');
      await page.getByRole('button', { name: '重新测速' }).click({ force: true });
      await page.clock.resume();
      await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toHaveAttribute('href', /./);
      await page.getByRole('tab', { name: '北辰浏览器' }).click();
      await page.getByRole('button', { name: '复制官方线路1的地址' }).click();
      await page.getByRole('link', { name: '立即下载' }).click();
      await page.getByRole('button', { name: '关闭' }).click();
      await expect(page.getByRole('button', { name: '关闭' })).toBeHidden();
      expect((await readEvents(page)).map(([name]) => name)).toEqual(['site_referrer']);
    },
  );

  test('a line that is opened with the middle button counts, a button does not, and a tab that is selected with the keyboard does', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      navigator.sendBeacon = (_, body) => {
        if (typeof body === 'string') sessionStorage.setItem('report', body);
        return true;
      };
    });
    await page.goto('/');
    await waitForLines(page);
    await page.getByRole('link', { name: '官方线路3', exact: true }).click({ button: 'right' });
    await page.getByRole('link', { name: '官方线路2', exact: true }).click({ button: 'middle' });
    // The page's own report to the portal, too, says that a line was entered.
    const report = await page.waitForFunction(() => sessionStorage.getItem('report'));
    expect(JSON.parse((await report.jsonValue()) ?? '')).toMatchObject({ entered: expect.any(Number) });
    await page.getByRole('button', { name: '重新测速' }).click({ button: 'middle' });
    expect((await readEvents(page)).slice(1)).toEqual([
      ['official_line', { device: 'pc', function: 'official_line', index: 2 }],
    ]);
    await page.getByRole('tab', { name: '北辰浏览器' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await expect(page.getByRole('tabpanel', { name: '官方频道' })).toBeVisible();
    // The default tab fired none at load.
    const names = (await readEvents(page)).map(([name]) => name);
    expect(names).toEqual(['site_referrer', 'official_line', 'tab_wallet', 'tab_telegram']);
  });
});

test('the referrer is told once a visit', FIREFOX_IN_SOAK, async ({ page, portal, lines }) => {
  const from = `http://line1.localhost:${lines.ports[0]}/`;
  await page.goto(from);
  await page.evaluate((url) => location.assign(url), portal.url);
  await waitForLines(page);
  const referrers = async () =>
    (await readEvents(page)).flatMap(([name, parameters]) =>
      name === 'site_referrer' ? (parameters as { referrer: string }).referrer : [],
    );
  expect(await referrers()).toEqual([from]);
  await page.reload();
  await waitForLines(page);
  expect(await referrers()).toEqual([]);
});

test(
  'with nothing configured, nothing leaves for another origin, and nothing is kept but what is listed',
  FIREFOX_IN_SOAK,
  async ({ page, portal }) => {
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto('/');
    await waitForLines(page);
    await page.getByRole('button', { name: '重新测速' }).click();
    await waitForLines(page);
    await page.waitForLoadState('networkidle');
    const foreign = asked.filter(
      ({ origin, pathname }) => origin !== portal.url && pathname !== '/speed.php',
    );
    expect(foreign.map(String)).toEqual([]);
    expect(asked.filter(({ pathname }) => /monitoring|recorder|worker|consent/.test(pathname))).toEqual([]);
    const listed: readonly string[] = Object.values(storageKeys);
    expect((await readStorageKeys(page)).filter((key) => !listed.includes(key))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  },
);

test.describe('with a tag', () => {
  test.use({ observation: { hasTag: true } });

  test('is loaded once the lines are measured, and finds what came before', async ({
    page,
    tagHost,
    lines,
  }) => {
    for (const number of [1, 2, 3, 4]) lines.set(`line${number}.localhost`, { delayMs: 400 });
    const seen: string[] = [];
    const note = (url: string): unknown => seen.push(new URL(url).pathname);
    page.on('response', (answer) => answer.url().endsWith('/speed.php') && note(answer.url()));
    page.on('request', (request) => request.url().includes('/gtag/') && note(request.url()));
    await page.goto('/');
    await page.getByRole('banner').getByRole('link', { name: '在线客服' }).click();
    await expect.poll(() => tagHost.asked).toEqual(['/gtag/js?id=G-TEST']);
    await expect.poll(() => seen).toEqual([...Array<string>(4).fill('/speed.php'), '/gtag/js']);
    await page.getByRole('link', { name: /^如遇游戏/ }).click();
    await expect
      .poll(() => page.evaluate(() => (window as { tagSeen?: unknown }).tagSeen))
      .toEqual([
        ['js', expect.any(String)],
        ['config', 'G-TEST'],
        ['event', 'site_referrer'],
        ['event', 'header_service'],
        ['event', 'tip_service'],
      ]);
  });

  test(
    'is not loaded before the links are, however long that takes',
    IN_CHROMIUM,
    async ({ page, tagHost, expectedErrors }) => {
      expectedErrors.push(/link\.json/);
      const runUntil = (isSo: () => Promise<boolean> | boolean): Promise<void> =>
        expect(async () => {
          await page.clock.runFor(1_000);
          expect(await isSo()).toBe(true);
        }).toPass();
      await page.clock.install();
      await page.route('**/json/link.json', (route) => route.fulfill({ status: 503, body: '' }));
      await page.goto('/');
      const again = page.getByRole('button', { name: '重试' });
      await runUntil(() => again.isVisible());
      await page.clock.runFor(30_000);
      expect(tagHost.asked).toEqual([]);
      await page.unroute('**/json/link.json');
      await again.click();
      await runUntil(() => tagHost.asked.length === 1);
    },
  );

  test('that is blocked, the page works as ever', IN_CHROMIUM, async ({ page, expectedErrors }) => {
    expectedErrors.push(/gtag/);
    const blocked = page.waitForRequest('**/gtag/js*');
    await page.route('**/gtag/js*', (route) => route.abort());
    await page.goto('/');
    await blocked;
    await waitForLines(page);
    await page.getByRole('button', { name: '重新测速' }).click();
    await waitForLines(page);
    expect((await readDataLayer(page)).map(([command]) => command)).toEqual([
      'js',
      'config',
      'event',
      'event',
    ]);
  });
});

type Control = {
  readonly event: string | undefined;
  readonly silent: string | undefined;
  readonly text: string;
};

/** Every link and button of the page that can be used, seen or not. */
function listControls(page: Page): Promise<readonly Control[]> {
  return page.evaluate(() => {
    // Links outside of the body are there for the browser: it fetches their documents ahead, and nobody can click them.
    const found = document.body.querySelectorAll<HTMLElement>(
      'a, button, input, select, textarea, summary, [role="button"], [role="link"], [role="tab"]',
    );
    return [...found]
      .filter((control) => control.getAttribute('aria-disabled') !== 'true' || control.matches('button'))
      .map(({ dataset, outerHTML }) => ({
        event: dataset['event'],
        silent: dataset['silent'],
        text: outerHTML.slice(0, 200),
      }));
  });
}
