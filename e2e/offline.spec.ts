import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { FIREFOX_IN_SOAK, HEADLESS_CHROMIUM, IN_CHROMIUM } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { listenOnLoopback } from './support/listen-on-loopback.ts';
import { makeCertificate, trustCertificate } from './support/make-certificate.ts';
import { type Door, startDoor } from './support/start-door.ts';
import { type Front, startFront } from './support/start-front.ts';
import { startPortalNginx } from './support/start-portal-nginx.ts';
import type { Portal } from './support/create-portal-host.ts';
import { expect, IN_RESTRICTED_REGION, LINES, test as base } from './support/test.ts';
import { isProbe, watchRequests } from './support/watch-requests.ts';

const CACHE = 'waypost.offline';
const HOSTNAMES = '/api/hostnames';
/** Keeps itself as soon as its addresses have been probed, so most tests visit this one. */
const TARGET = '/t/localhost';
const TARGET_FILE = '/json/urls/localhost.json';

const test = base.extend<{ readonly door: Door }>({
  serviceWorkers: 'allow',
  door: async ({ portal, expectedErrors }, use) => {
    // Browsers write into their console that a portal which is gone cannot be reached.
    expectedErrors.push(/localhost/);
    const door = await startDoor({ portalUrl: portal.url });
    await use(door);
    await door.close();
  },
});

/** Visits the page of a target, and waits until the browser has kept it and its worker is active. */
async function visitAndKeep(page: Page, { url }: Door): Promise<void> {
  await page.goto(url + TARGET);
  await expectKept(page, ['/offline/t', TARGET_FILE]);
}

async function expectKept(page: Page, paths: readonly string[]): Promise<void> {
  await expect.poll(() => listKept(page)).toEqual(expect.arrayContaining([...paths]));
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

/** The paths of all that is kept, from a page of the same origin. */
async function listKept(page: Page): Promise<readonly string[]> {
  return page.evaluate(async (name) => {
    if (!(await caches.has(name))) return [];
    const keys = await (await caches.open(name)).keys();
    return keys.map(({ url }) => new URL(url).pathname);
  }, CACHE);
}

async function readKept(page: Page, path: string): Promise<string | undefined> {
  return page.evaluate(async ([name, kept]) => (await (await caches.open(name)).match(kept))?.text(), [
    CACHE,
    path,
  ] as const);
}

async function expectNothingKept(page: Page): Promise<void> {
  await expect.poll(() => listKept(page)).toEqual([]);
}

async function expectNoWorker(page: Page): Promise<void> {
  const count = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(count).toBe(0);
}

async function expectKeptLines(page: Page): Promise<void> {
  await expect(page.locator('#offline-note')).toContainText('分钟前');
  await expect(page.locator('[data-row] [data-speed]')).toHaveText(Array(4).fill(/^\d+ms$/));
  await expect(page.locator('[data-row] a[href*=".line"]')).toHaveCount(4);
}

async function expectKeptTarget(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: '点我进入' })).toBeVisible();
  await expect(page.locator('#offline-note')).toContainText(
    /暂时无法连接本站。本页使用的是您.*前获得的线路。/,
  );
  expect(await page.locator('#waypost-start').textContent()).toContain('isKept');
}

/** Opens `/r`, which leaves for a line. Firefox sometimes counts a page that the worker answers as a second navigation. */
async function openRedirect(page: Page, { url }: Door): Promise<void> {
  await page.goto(`${url}/r`, { waitUntil: 'commit' }).catch((error: unknown) => {
    if (!String(error).includes('interrupted by another navigation')) throw error;
  });
}

/** A page of the same origin that keeps nothing itself. */
async function openBystander(page: Page, { url }: Door): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(`${url}/nowhere`);
  return other;
}

test('a visitor who came before gets in whatever has happened to the portal, and is told when it is back', async ({
  page,
  door,
  portal,
}) => {
  await page.goto(door.url);
  await expectKept(page, ['/offline/', '/offline/r', HOSTNAMES]);

  await test.step('nothing listens', async () => {
    await door.set('closed');
    const requests = watchRequests(page);
    await page.goto(door.url);
    await expectKeptLines(page);
    await page.getByRole('button', { name: '重新测速' }).click();
    await page.locator('[data-phase="loading"]').waitFor();
    await expectKeptLines(page);
    // The results of the visit before count for 10 s, so the first four may be missing.
    expect(requests.filter(isProbe).length).toBeGreaterThanOrEqual(4);
    expect(requests.filter((path) => /^\/(?:api|json)\//.test(path))).toEqual([]);
    const [entered] = await Promise.all([
      page.context().waitForEvent('page'),
      page.locator('[data-row] a').first().click(),
    ]);
    await expectEntered(entered, /line\d\.localhost$/);
    await openRedirect(entered, door);
    await expectEntered(entered, /line\d\.localhost$/);
    await entered.close();
  });

  await test.step('the portal is back', async () => {
    await door.set({ portalUrl: portal.url });
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('link', { name: '本站已恢复连接' }).click();
    await expect(page.locator('[data-row] [data-speed]')).toHaveText(Array(4).fill(/^\d+ms$/));
    await expect(page.locator('#offline-note')).toHaveCount(0);
  });

  await test.step('a proxy finds no portal', async () => {
    await door.set((_, answer) => void answer.writeHead(502).end('bad gateway'));
    await page.goto(door.url);
    await expectKeptLines(page);
  });

  await test.step('the port accepts and hangs up', async () => {
    await door.set('reset');
    await page.goto(door.url);
    await expectKeptLines(page);
  });

  await test.step('the port accepts and never answers', async () => {
    await door.set('silent');
    const other = await page.context().newPage();
    await Promise.all([
      page.goto(door.url).then(() => expectKeptLines(page)),
      openRedirect(other, door).then(() => expectEntered(other, /line\d\.localhost$/)),
    ]);
  });
});

test('without a portal, too, one click leads to no server of somebody else', async ({
  page,
  door,
  lines,
}) => {
  await page.goto(door.url);
  await expectKept(page, ['/offline/', HOSTNAMES]);
  await visitAndKeep(page, door);
  await door.set('closed');
  const countPages = () => LINES.map((host) => lines.requests(host).pages);
  const before = countPages();
  for (const host of LINES) lines.set(host, { fault: 'parking-page' });
  await page.evaluate(() => sessionStorage.clear());
  await test.step('on /', async () => {
    await page.goto(door.url);
    await expect(page.locator('#offline-note')).toBeVisible();
    await expect(page.locator('[data-row]').filter({ hasText: '未通过验证' })).toHaveCount(4);
    await expect(page.locator('[data-row] [href]')).toHaveCount(0);
    await page.getByRole('button', { name: '官方线路1', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
  await test.step('on /t', async () => {
    await page.goto(door.url + TARGET);
    await expectKeptTarget(page);
    await page.getByRole('button', { name: '点我进入' }).click();
    await expect(page.getByRole('alert')).toHaveText(/无法确认该地址属于/);
  });
  expect(countPages()).toEqual(before);
});

test('one visit to /r is enough for the next', async ({ page, door, lines }) => {
  await openRedirect(page, door);
  await expectEntered(page);
  await expectKept(await openBystander(page, door), ['/offline/r', HOSTNAMES]);
  await door.set('closed');
  for (const host of LINES.slice(1)) lines.set(host, { delayMs: 2_000 });
  // In a tab of its own: results of the first visit count for 10 s in theirs.
  const again = await page.context().newPage();
  await openRedirect(again, door);
  await expectEntered(again, 'line1.localhost');
});

test(
  '/t offers the addresses that it was given, without a target in the path, too',
  IN_CHROMIUM,
  async ({ page, door }) => {
    await visitAndKeep(page, door);
    await door.set('closed');
    for (const path of [TARGET, '/t']) {
      await page.goto(door.url + path);
      await page.getByRole('button', { name: '点我进入' }).click();
      await expectEntered(page, /line[12]\.localhost$/);
    }
  },
);

test('every other answer is shown as it is', IN_CHROMIUM, async ({ page, door }) => {
  await visitAndKeep(page, door);
  for (const status of [404, 500, 200, 451]) {
    await door.set((_, answer) => void answer.writeHead(status).end(`<h1>status ${status}</h1>`));
    await page.goto(door.url + TARGET);
    await expect(page.getByText(`status ${status}`)).toBeVisible();
  }
});

test(
  'lines of the future, and lines whose time is over, do not count: a page says that the portal is away, and when it is back',
  FIREFOX_IN_SOAK,
  async ({ page, door, portal }) => {
    await visitAndKeep(page, door);
    const other = await openBystander(page, door);
    await door.set('closed');
    for (const ageMs of [-86_400_000, 8 * 86_400_000]) {
      await other.evaluate(changeAge, [CACHE, TARGET_FILE, ageMs] as const);
      await page.goto(door.url + TARGET);
      await expect(page.getByRole('heading', { name: '暂时无法连接本站' })).toBeVisible();
      // No link of the brand's, which may be too old.
      await expect(page.locator('main a:visible')).toHaveText(['重试']);
    }
    await door.set({ portalUrl: portal.url });
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(page.getByRole('link', { name: '本站已恢复连接' })).toBeVisible();
    await door.set('closed');
    await other.evaluate(changeAge, [CACHE, TARGET_FILE, 6 * 86_400_000] as const);
    await page.goto(door.url + TARGET);
    await expectKeptTarget(page);
  },
);

test('the worker leaves /?fresh alone', IN_CHROMIUM, async ({ page, door }) => {
  await visitAndKeep(page, door);
  await door.set('closed');
  await expectNothingShown(page, `${door.url}${TARGET}?fresh`);
});

test(
  'a hostname call that hangs is the only one of its run, although the worker is installed meanwhile',
  FIREFOX_IN_SOAK,
  async ({ page, portal }) => {
    const front = await startFront(portal.url, {});
    const countCalls = () => front.requests.filter((path) => path === HOSTNAMES).length;
    const release = front.holdBack(/^\/api\/hostnames/);
    await page.goto(front.url);
    // The page keeps itself after 10 s. The worker is there when it has kept what it wants.
    await expectKept(page, ['/offline/', '/offline/r', '/offline/away']);
    expect(countCalls()).toBe(1);
    release();
    await expectKept(page, [HOSTNAMES]);
    expect(countCalls()).toBe(1);
    front.close();
  },
);

/** In a tab of its own: Chromium's error page would interrupt what comes next in this one. */
async function expectNothingShown(page: Page, url: string): Promise<void> {
  const tab = await page.context().newPage();
  // The second one is what Chromium calls it when a worker has no answer.
  await expect(tab.goto(url)).rejects.toThrow(/ERR_(?:CONNECTION_REFUSED|FAILED)/);
}

/** Makes the kept lines as old as this. Runs in a page. */
async function changeAge([name, path, ageMs]: readonly [string, string, number]): Promise<void> {
  const cache = await caches.open(name);
  const kept = JSON.parse((await (await cache.match(path))?.text()) ?? '') as object;
  await cache.put(path, new Response(JSON.stringify({ ...kept, at: Date.now() - ageMs })));
}

test(
  'an update of the worker waits until its tabs are closed, and reloads none',
  IN_CHROMIUM,
  async ({ page, door, portal }) => {
    await visitAndKeep(page, door);
    // The worker answers for this tab from now on.
    await page.goto(door.url + TARGET);
    // A browser that finds another script has found an update.
    const script = await (await fetch(`${portal.url}/offline.js`)).text();
    await door.set(({ url }, answer) => {
      const status = url === '/offline.js' ? 200 : 404;
      answer.writeHead(status, { 'content-type': 'text/javascript' }).end(`${script}\n// Newer.`);
    });
    const other = await page.context().newPage();
    await page.evaluate(async () => {
      document.body.dataset['isSame'] = 'yes';
      await (await navigator.serviceWorker.getRegistration())?.update();
    });
    const readWaiting = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state);
    await expect.poll(readWaiting).toBe('installed');
    await door.set('closed');
    await other.goto(door.url + TARGET);
    await expectKeptTarget(other);
    await expect(page.locator('body')).toHaveAttribute('data-is-same', 'yes');
  },
);

test('the kept page is shown where the certificate is wrong', IN_CHROMIUM, async ({ portal, playwright }) => {
  const [right, wrong] = await Promise.all([makeCertificate(['localhost']), makeCertificate(['localhost'])]);
  const { args, ...options } = HEADLESS_CHROMIUM.launchOptions;
  const browser = await playwright.chromium.launch({
    ...options,
    args: [...args, trustCertificate(right)],
  });
  const door = await startDoor({ portalUrl: portal.url, certificate: right });
  const context = await browser.newContext({ locale: 'zh-CN' });
  const [page, other] = [await context.newPage(), await context.newPage()];
  await visitAndKeep(page, door);
  await door.set({ portalUrl: portal.url, certificate: wrong });
  await expect(other.goto(`${door.url}/nowhere`)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
  await page.goto(door.url + TARGET);
  await expectKeptTarget(page);
  await browser.close();
  await door.close();
});

test(
  'the shipped nginx keeps no copy of the worker, and says 502 where no portal answers',
  IN_CHROMIUM,
  async ({ playwright }) => {
    let count = 0;
    const portal = createServer((_, answer) => {
      count += 1;
      answer.writeHead(200, { 'cache-control': 'private, no-cache' }).end(`worker ${count}`);
    });
    const port = await listenOnLoopback(portal);
    const nginx = await startPortalNginx([port, port], await makeCertificate(['localhost']));
    const visitor = await playwright.request.newContext({
      ignoreHTTPSErrors: true,
      baseURL: `https://localhost:${nginx.port}`,
    });
    expect(await (await visitor.get('/offline.js')).text()).toBe('worker 1');
    expect(await (await visitor.get('/offline.js')).text()).toBe('worker 2');
    portal.close();
    portal.closeAllConnections();
    expect((await visitor.get('/')).status()).toBe(502);
    await visitor.dispose();
    await nginx.close();
  },
);

test.describe('a site that changes', () => {
  test.use({ hasOwnPortal: true });

  test(
    'shows its new brand, and removes everything when it keeps nothing any more, around the worker',
    FIREFOX_IN_SOAK,
    async ({ page, door, portal }) => {
      await visitAndKeep(page, door);
      await changeSite(portal, { brand: { name: 'Another Brand' } });
      await expect.poll(() => readPage(portal.url)).toContain('Another Brand');
      await page.goto(door.url + TARGET);
      await expect.poll(() => readKept(page, '/offline/t')).toContain('Another Brand');
      await door.set('closed');
      await page.goto(door.url + TARGET);
      await expectKeptTarget(page);
      await expect(page).toHaveTitle(/Another Brand/);

      await door.set({ portalUrl: portal.url });
      await changeSite(portal, { offline: { mode: 'off' } });
      await expect.poll(() => readPage(portal.url)).not.toContain('mayKeep');
      // The worker may be broken: then only its new script can remove it.
      await page.goto(`${door.url}${TARGET}?fresh`);
      await expectNothingKept(page);
      await expectNoWorker(page);
    },
  );
});

async function changeSite({ siteDir }: Portal, changes: Readonly<Record<string, object>>): Promise<void> {
  const file = join(siteDir, 'site.json');
  const site = JSON.parse(await readFile(file, 'utf8')) as Record<string, object>;
  for (const [key, value] of Object.entries(changes)) site[key] = { ...site[key], ...value };
  await writeFile(file, JSON.stringify(site));
}

async function readPage(url: string): Promise<string> {
  return (await fetch(url)).text();
}

const RESTRICTED = IN_RESTRICTED_REGION.changes.site;

test.describe('where regions are restricted', IN_CHROMIUM, () => {
  test.use({ changes: { site: { ...RESTRICTED, offline: { mode: 'on' } } } });

  test('a visitor who becomes restricted loses everything, on every route', async ({
    page,
    door,
    portal,
  }) => {
    const served = await startFront(portal.url, { headers: { 'x-country': 'SG' } });
    const refused = await startFront(portal.url, { headers: { 'x-country': 'AQ' } });
    for (const path of ['/', '/r', TARGET]) {
      await door.set({ portalUrl: served.url });
      await visitAndKeep(page, door);
      await door.set({ portalUrl: refused.url });
      await page.goto(door.url + path);
      await expectRefused(page);
      await expectNoWorker(page);
    }
    served.close();
    refused.close();
  });

  test('a visitor whom only a call refuses loses everything, too', async ({ page, door, portal }) => {
    const front = await startFront(portal.url, { headers: { 'x-country': 'SG' } });
    await door.set({ portalUrl: front.url });
    for (const path of ['/', '/r', TARGET]) {
      await visitAndKeep(page, door);
      const end = refuseCalls(front);
      await page.goto(door.url + path);
      await expectRefused(page);
      end();
    }
    front.close();
  });
});

function refuseCalls(front: Front): () => void {
  return front.route(/^\/(?:api\/hostnames|json\/urls\/)/, { status: 451 });
}

async function expectRefused(page: Page): Promise<void> {
  await expect(page.getByText('您所在的地区').first()).toBeVisible();
  await expectNothingKept(page);
}

test.describe('where regions are restricted and nothing else is said', IN_CHROMIUM, () => {
  test.use({ ...IN_RESTRICTED_REGION, extraHTTPHeaders: { 'X-Country': 'SG' } });

  test('nothing is kept', async ({ page, door }) => {
    await page.goto(door.url + TARGET);
    await expect(page.getByRole('button', { name: '点我进入' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectNothingKept(page);
    await expectNoWorker(page);
  });
});
