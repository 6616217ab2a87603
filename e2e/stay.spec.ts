import { readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isSoak } from '../src/engine/testing/tenth-of.ts';
import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import { startDoor } from './support/start-door.ts';
import { breakSiblings, expectMoved, expectNotMoved, readKept, test } from './support/stay-test.ts';
import { expect } from './support/test.ts';

const LINE = 'line1.localhost';
/** Names a way to tell a caller's country. Nobody here says one, so it is not known. */
const NETWORK = { countryHeader: 'X-Country', trustedProxies: ['127.0.0.0/8', '::1/128'] };

test.describe('a line that is killed', () => {
  test.use({ hasOwnPortal: true });

  test('leads to the same page of a sibling, also by reload, back and a second tab', async ({
    page,
    context,
    lines,
    portal,
    stay,
  }) => {
    await stay.enter(page, stay.addressOf(LINE));
    await page.goto(`${stay.addressOf(LINE)}/item/2`);
    const second = await context.newPage();
    await second.goto(`${stay.addressOf(LINE)}/form`);
    lines.set(LINE, { fault: 'refuse' });
    await test.step('by a link', async () => {
      await page.getByRole('link', { name: '返回' }).click();
      await expectMoved(page, '/');
    });
    await test.step('with query and hash', async () => {
      await second.goto(`${stay.addressOf(LINE)}/item/1?a=b&c=%E4%BD%A0#part`);
      await expectMoved(second, '/item/1\\?a=b&c=%E4%BD%A0#part');
    });
    await test.step('by going back', async () => {
      await page.goBack();
      // The browser may show the page as it was left, without asking anybody.
      await page.reload();
      await expectMoved(page, '/item/2');
      await page.goForward();
      await expectMoved(page, '/');
    });
    await test.step('which the portal counts', async () => {
      const readMetrics = async () => (await fetch(`${portal.opsUrl}/metrics`)).text();
      await expect.poll(readMetrics).toMatch(/waypost_moved_visitors_total\{line="[^"]*line1[^"]*"\} [34]/);
      expect(await readMetrics()).toMatch(
        /line_results_total\{line="[^"]*line1[^"]*",outcome="unreachable"\}/,
      );
    });
  });
});

test(
  'a reload of a page whose line has died leads to a sibling',
  FIREFOX_IN_SOAK,
  async ({ page, lines, stay }) => {
    await stay.enter(page, stay.addressOf(LINE));
    lines.set(LINE, { fault: 'refuse' });
    await page.reload();
    await expectMoved(page, '/');
  },
);

test('a line that swallows everything is left after six seconds', async ({ page, lines, stay }) => {
  await stay.enter(page, stay.addressOf(LINE));
  lines.set(LINE, { fault: 'hang' });
  await page.getByRole('link', { name: '留言' }).click();
  await expectMoved(page, '/form');
});

test(
  'what a script asks for is waited for, however long it takes',
  FIREFOX_IN_SOAK,
  async ({ page, lines, stay }) => {
    await stay.enter(page, stay.addressOf(LINE));
    // Firefox ends a worker after a minute without an event.
    lines.set(LINE, { delayMs: isSoak() ? 100_000 : 3_000, isOnPagesOnly: true });
    expect(await page.evaluate(async () => (await fetch('/items.json')).status)).toBe(200);
  },
);

test(
  'a line behind a proxy without an application is left if its speed check fails, too',
  FIREFOX_IN_SOAK,
  async ({ page, lines, stay }) => {
    await stay.enter(page, stay.addressOf(LINE));
    lines.set(LINE, { fault: 'bad-gateway', isOnPagesOnly: true });
    expect((await page.goto(`${stay.addressOf(LINE)}/form`))?.status()).toBe(502);
    expect(page.url()).toBe(`${stay.addressOf(LINE)}/form`);
    lines.set(LINE, { fault: 'bad-gateway' });
    await page.goto(`${stay.addressOf(LINE)}/form`);
    await expectMoved(page, '/form');
  },
);

test('a line whose port is closed or taken over is left when its pages fail', async ({ page, stay }) => {
  const door = await startDoor({ portalUrl: stay.addressOf(LINE) });
  const { port } = new URL(door.url);
  const address = stay.addressOf(LINE).replace(/\d+$/, port);
  await stay.enter(page, address);
  await test.step('not while somebody else answers well', async () => {
    await door.set((_, response) => response.end('<h1>for sale</h1>'));
    await page.goto(`${address}/form`);
    await expect(page.getByRole('heading')).toHaveText('for sale');
  });
  for (const keeper of [
    'closed',
    'reset',
    (_: unknown, response: ServerResponse) => response.writeHead(503).end(),
  ] as const) {
    await door.set(keeper);
    await page.goto(`${address}/form`);
    await expectMoved(page, '/form');
  }
  await door.close();
});

test('a slow page is waited for, and nobody is moved', FIREFOX_IN_SOAK, async ({ page, lines, stay }) => {
  await stay.enter(page, stay.addressOf(LINE));
  lines.set(LINE, { delayMs: 7_000, isOnPagesOnly: true });
  await page.getByRole('link', { name: '留言' }).click();
  await expect(page.getByLabel('留言')).toBeVisible();
  expect(page.url()).toBe(`${stay.addressOf(LINE)}/form`);
});

test('nobody is moved if no sibling proves itself, and everybody as soon as one does', async ({
  page,
  lines,
  stay,
}) => {
  await stay.enter(page, stay.addressOf(LINE));
  lines.set(LINE, { fault: 'refuse' });
  // Firefox removes a worker after three failures.
  for (const fault of ['wrong-marker', 'no-cors', 'refuse', 'refuse'] as const) {
    breakSiblings(lines, fault);
    await expectNotMoved(page, `${stay.addressOf(LINE)}/form`);
    expect(lines.requests('line2.localhost').pages).toBe(0);
  }
  lines.set('line2.localhost', {});
  await page.goto(`${stay.addressOf(LINE)}/form`);
  await expectMoved(page, '/form');
});

test('a form whose line breaks off is sent once, although there is no sibling', async ({
  page,
  lines,
  stay,
}) => {
  // A browser itself sends a form again if a connection breaks that it has used before.
  lines.set(LINE, { closesConnections: true });
  await stay.enter(page, stay.addressOf(LINE));
  await page.goto(`${stay.addressOf(LINE)}/form`);
  breakSiblings(lines, 'refuse');
  lines.set(LINE, { fault: 'reset-head' });
  const next = page.waitForEvent('framenavigated');
  await page.getByRole('button', { name: '发送' }).click();
  await next;
  expect(lines.requests(LINE).posts).toBe(1);
});

test('a page of yesterday’s name leads to today’s', FIREFOX_IN_SOAK, async ({ page, lines, stay }) => {
  const yesterday = stay.addressOf(LINE, 1);
  await stay.enter(page, yesterday);
  lines.set(LINE, { fault: 'refuse' });
  await page.goto(`${yesterday}/form`);
  await expectMoved(page, '/form');
  const [today] = new URL(stay.addressOf(LINE)).hostname.split('.');
  expect(page.url()).toContain(`//${today}.`);
});

test('a form is sent once, and a click leads to the sibling', async ({ page, lines, stay }) => {
  lines.set(LINE, { closesConnections: true });
  await stay.enter(page, stay.addressOf(LINE));
  await page.goto(`${stay.addressOf(LINE)}/form`);
  lines.set(LINE, { fault: 'refuse' });
  await page.getByRole('button', { name: '发送' }).click();
  await expect(
    page.getByText(/您刚才的操作可能已经完成，也可能没有完成。|may or may not have been carried out/),
  ).toBeVisible();
  expect(page.url()).toContain(LINE);
  // Playwright sets the language of pages, and in Firefox not that of workers.
  await page.getByRole('link', { name: /前往其他线路|Go on at another one/ }).click();
  await expectMoved(page, '/form');
  const posts = ['line1', 'line2', 'line3', 'line4'].map((name) => lines.requests(`${name}.localhost`).posts);
  expect(posts).toEqual([1, 0, 0, 0]);
});

test('a page that never navigates shows a bar after two failed requests', async ({ page, lines, stay }) => {
  await stay.enter(page, stay.addressOf(LINE));
  const refresh = page.getByRole('button', { name: '刷新' });
  const bar = page.locator('#waypost-stay');
  const loseTwo = async (): Promise<void> => {
    for (const _ of [1, 2]) {
      await page.locator('output').evaluate((output) => (output.textContent = ''));
      await refresh.click();
      await expect(page.locator('output')).toHaveText('✗');
    }
  };
  await refresh.click();
  await expect(page.locator('output')).toHaveText('3');
  // It shows how many keys the page listens to.
  await page.evaluate(() => {
    const listeners = new Set<unknown>();
    const add = document.addEventListener.bind(document);
    const remove = document.removeEventListener.bind(document);
    document.addEventListener = (...args: Parameters<typeof add>) => {
      if (args[0] === 'keydown') document.body.dataset['keys'] = String(listeners.add(args[1]).size);
      add(...args);
    };
    document.removeEventListener = (...args: Parameters<typeof remove>) => {
      if (listeners.delete(args[1])) document.body.dataset['keys'] = String(listeners.size);
      remove(...args);
    };
  });
  lines.set(LINE, { fault: 'refuse' });
  await loseTwo();
  await expect(bar).toHaveCount(1);
  await bar.evaluate((first) => first.setAttribute('title', 'first'));
  await loseTwo();
  await expect(page.locator('#waypost-stay:not([title])')).toHaveCount(1);
  await expect(page.locator('body')).toHaveAttribute('data-keys', '1');
  await expect(bar.getByRole('alert')).toHaveText('当前线路没有响应。');
  await page.screenshot({ path: 'test-results/shots/stay-bar.png' });
  for (const control of [bar.getByRole('link'), bar.getByRole('button')]) {
    const box = await control.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await expect(control).toHaveCSS('border-top-style', 'solid');
  }
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await test.step('unless the application prevents it', async () => {
    await page.evaluate(() => {
      document.addEventListener('waypost:line-lost', (event) => {
        event.preventDefault();
        document.title = (event as CustomEvent<{ address: string }>).detail.address;
      });
    });
    await loseTwo();
    await expect(page).toHaveTitle(/^http:\/\/www\d+\.(?:line[2-4]|backup\d)\.localhost:\d+$/);
    await expect(bar).toHaveCount(0);
  });
});

test(
  'the link of the bar leads to the page that is open then',
  FIREFOX_IN_SOAK,
  async ({ page, lines, stay }) => {
    await stay.enter(page, stay.addressOf(LINE));
    lines.set(LINE, { fault: 'refuse' });
    for (const _ of [1, 2]) await page.evaluate(() => fetch('/items.json').catch(() => undefined));
    await expect(page.locator('#waypost-stay')).toBeVisible();
    await page.evaluate(() => history.pushState(null, '', '/item/3?x=1'));
    await page.getByRole('link', { name: '前往其他线路' }).click();
    await expectMoved(page, '/item/3\\?x=1');
  },
);

test(
  'an application’s own worker that imports ours keeps its visitors in, too',
  FIREFOX_IN_SOAK,
  async ({ page, lines, stay }) => {
    // Without the portal, the page does not load our script, which would register our own worker.
    await page.goto(`${stay.addressOf(LINE)}/nowhere`);
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/app-worker.js');
      await navigator.serviceWorker.ready;
    });
    await page.goto(`${stay.addressOf(LINE)}/`);
    await expect.poll(() => readKept(page)).toContain('"hosts"');
    const scripts = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL),
    );
    expect(scripts).toEqual([`${stay.addressOf(LINE)}/app-worker.js`]);
    expect(await page.evaluate(async () => (await fetch('/from-worker')).text())).toBe(
      'from the application',
    );
    lines.set(LINE, { fault: 'refuse' });
    await page.goto(`${stay.addressOf(LINE)}/form`);
    await expectMoved(page, '/form');
  },
);

test(
  'while all is well, one call is sent after the page, and every page is asked for once',
  FIREFOX_IN_SOAK,
  async ({ page, context, lines, stay }) => {
    const sent: string[] = [];
    context.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await stay.enter(page, stay.addressOf(LINE));
    for (const _ of [1, 2, 3, 4]) await page.reload();
    await page.getByRole('link', { name: '留言' }).click();
    await expect(page.getByLabel('留言')).toBeVisible();
    expect(lines.requests(LINE)).toMatchObject({ probes: 0, pages: 5 });
    expect(sent.filter((path) => path === '/api/hostnames').length).toBeLessThanOrEqual(1);
    lines.set(LINE, { fault: 'error', isOnPagesOnly: true });
    expect((await page.goto(`${stay.addressOf(LINE)}/`))?.status()).toBe(500);
    expect(lines.requests(LINE).pages).toBe(6);
  },
);

test.describe('a site that restricts regions', () => {
  test.use({
    changes: {
      site: { network: { ...NETWORK, unknownRegion: 'open' }, compliance: { restrictedRegions: ['AQ'] } },
    },
  });

  test('keeps no siblings, and asks the portal for them when the line is lost', async ({
    page,
    lines,
    portal,
    stay,
  }) => {
    await page.goto(`${stay.addressOf(LINE)}/`);
    await expect.poll(() => readKept(page)).toContain(portal.url);
    await page.goto(`${stay.addressOf(LINE)}/form`);
    expect(await readKept(page)).not.toContain('hosts');
    lines.set(LINE, { fault: 'refuse' });
    await page.goto(`${stay.addressOf(LINE)}/item/1`);
    await expectMoved(page, '/item/1');
  });
});

test.describe('a visitor whom the portal refuses meanwhile', () => {
  test.use({ hasOwnPortal: true, changes: { site: { network: NETWORK } } });

  test('is never moved, and everything is deleted', async ({ page, context, lines, portal, stay }) => {
    await stay.enter(page, stay.addressOf(LINE));
    const file = join(portal.siteDir, 'site.json');
    const site = JSON.parse(await readFile(file, 'utf8')) as { compliance: object };
    const compliance = { ...site.compliance, restrictedRegions: ['AQ'] };
    await writeFile(file, JSON.stringify({ ...site, compliance }));
    await expect.poll(async () => (await fetch(`${portal.url}/api/hostnames`)).status).toBe(451);
    lines.set(LINE, { fault: 'refuse' });
    await expectNotMoved(page, `${stay.addressOf(LINE)}/form`);
    lines.set(LINE, {});
    const second = await context.newPage();
    await second.goto(`${stay.addressOf(LINE)}/nowhere`);
    expect(await readKept(second)).toMatch(/^\{"askedAt":\d+\}$/);
  });
});
