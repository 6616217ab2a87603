import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { holdBack, settleAfter } from './support/hold-back.ts';
import { startWatchedLine } from './support/start-watched-line.ts';
import { BACKUPS, expect, IN_RESTRICTED_REGION, LINES, test } from './support/test.ts';
import { FAILED_CALL, isProbe, watchRequests } from './support/watch-requests.ts';

const ENTER = { name: '点我进入' };
/** Where none answers. */
const ANYWAY = { name: '仍要打开' };

test.describe('/t', () => {
  test('leads to its default target, and enters the fastest address', async ({ page, lines }) => {
    lines.set('line1.localhost', { delayMs: 2_000 });
    await page.goto('/t');
    await expect(page).toHaveURL(/\/t\/localhost$/);
    await page.getByRole('button', ENTER).click();
    await expectEntered(page, 'line2.localhost');
  });

  test('shows a sign of its work, then the button, which has the focus', async ({ page }) => {
    const release = await holdBack(page, '**/json/urls/localhost.json');
    await page.goto('/t/localhost');
    await expect(page.getByRole('status')).toHaveText(/正在选择最快的地址/);
    await expect(page.locator('#enter')).toBeHidden();
    release();
    await expect(page.getByRole('button', ENTER)).toBeFocused();
    await expect(page.getByRole('status')).toBeHidden();
    await page.keyboard.press('Enter');
    await expectEntered(page);
  });

  test(
    'asks for its file and its links together, and probes when both are there',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      const requests = watchRequests(page);
      const listCalls = () => requests.filter((request) => /\/json\/|speed/.test(request));
      const release = await holdBack(page, '**/json/link.json');
      const answered = page.waitForResponse('**/json/urls/localhost.json');
      await page.goto('/t/localhost');
      await settleAfter(page, answered);
      expect(listCalls()).toEqual(['/json/urls/localhost.json', '/json/link.json']);
      release();
      await expect(page.getByRole('button', ENTER)).toBeVisible();
      expect(listCalls().slice(2).toSorted()).toEqual([
        'line1.localhost/speed.php',
        'line2.localhost/speed.php',
      ]);
    },
  );

  test('says where the button leads, in a link of its own, and what was measured', async ({
    page,
    lines,
    expectedErrors,
  }) => {
    expectedErrors.push(FAILED_CALL);
    lines.set('line2.localhost', { fault: 'wrong-marker' });
    await page.goto('/t/localhost');
    const address = `line1.localhost:${lines.ports[0]}`;
    await expect(page.getByRole('link', { name: address })).toHaveAttribute('href', `http://${address}/`);
    const button = page.getByRole('button', ENTER);
    await expect(button).toHaveAccessibleDescription(/^\d+ ms · 2个地址中最快 · 身份已验证$/);
    await test.step('and nothing of it when no address answers', async () => {
      for (const host of LINES) lines.set(host, { fault: 'refuse' });
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await expect(page.getByRole('alert')).toContainText('暂时没有可用的线路');
      await expect(page.getByRole('button', ANYWAY)).toHaveAccessibleDescription('');
    });
  });

  test(
    'a second visit within 10 s uses the result of the first',
    FIREFOX_IN_SOAK,
    async ({ page, lines }) => {
      lines.set('line1.localhost', { delayMs: 2_000 });
      const requests = watchRequests(page);
      for (const _ of ['first', 'second']) {
        await page.goto('/t/localhost');
        await expect(page.getByRole('link', { name: 'line2.localhost' })).toBeVisible();
      }
      expect(requests.filter(isProbe)).toHaveLength(2);
    },
  );

  test('comes back with the button, and chooses anew', async ({ page, lines, expectedErrors }) => {
    expectedErrors.push(FAILED_CALL);
    lines.set('line1.localhost', { fault: 'refuse' });
    await page.goto('/t/localhost');
    await page.getByRole('button', ENTER).click();
    await expectEntered(page, 'line2.localhost');
    // Chromium cannot go back from a page that is still taking the place of another.
    await page.waitForLoadState();
    await page.goBack({ waitUntil: 'commit' });
    await expect(page.getByRole('button', ENTER)).toBeFocused();
    lines.set('line1.localhost', {});
    lines.set('line2.localhost', { fault: 'refuse' });
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await expect(page.getByRole('link', { name: 'line1.localhost' })).toBeVisible();
    await expect(page.getByRole('button', ENTER)).toBeFocused();
  });

  test(
    'a prerendered page asks for nothing until the visitor is there',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      const requests = watchRequests(page);
      await page.addInitScript(() => Object.defineProperty(document, 'prerendering', { value: true }));
      await page.goto('/t/localhost');
      expect(requests.filter((request) => /json|speed/.test(request))).toEqual([]);
      await page.evaluate(() => document.dispatchEvent(new Event('prerenderingchange')));
      await expect(page.getByRole('button', ENTER)).toBeVisible();
    },
  );

  test(
    'speaks the language that was asked for, the default target too',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      await page.goto('/t?lang=en');
      await expect(page).toHaveURL(/\/t\/localhost\?lang=en$/);
      await expect(page.getByRole('button', { name: 'Click me to enter' })).toBeVisible();
    },
  );

  test('leaves the visitor’s query and hash behind', FIREFOX_IN_SOAK, async ({ page }) => {
    await page.goto('/t/localhost?code=7#top');
    await page.getByRole('button', ENTER).click();
    await page.waitForURL(/line\d\.localhost:\d+\/$/, { waitUntil: 'commit' });
  });

  test.describe('where the visitor’s query and hash are wanted', () => {
    test.use({ changes: { site: { redirect: { keepQuery: true } } } });

    test('takes them along, from the default target too', async ({ page }) => {
      await page.goto('/t?code=7#top');
      await page.getByRole('button', ENTER).click();
      await page.waitForURL(/line\d\.localhost:\d+\/\?code=7#top$/, { waitUntil: 'commit' });
    });
  });

  // Only Chromium knows speculation rules.
  test('has the document fetched before the click', IN_CHROMIUM, async ({ page }) => {
    const line = await startWatchedLine('line');
    const json = { only: line.address };
    await page.route('**/json/urls/localhost.json', (route) => route.fulfill({ json }));
    await page.goto('/t/localhost');
    await expect.poll(() => line.pages).toEqual([{ isPrefetch: true, referrer: undefined }]);
    await page.getByRole('button', ENTER).click();
    await expectEntered(page, 'line.localhost');
    line.close();
    expect(line.pages).toHaveLength(1);
  });
});

test.describe('/t, when addresses fail,', () => {
  test.beforeEach(({ expectedErrors }) => {
    expectedErrors.push(FAILED_CALL);
  });

  test('uses the first where none answers, and fetches nothing of it ahead', async ({ page, lines }) => {
    for (const host of LINES) lines.set(host, { fault: 'refuse' });
    await page.goto('/t/localhost');
    await expect(page.getByRole('link', { name: 'line1.localhost' })).toBeVisible();
    // What the speculation rules of the page go by.
    await expect(page.locator('[data-proven]')).toHaveCount(0);
    lines.set('line1.localhost', {});
    await page.getByRole('button', ANYWAY).click();
    await expectEntered(page, 'line1.localhost');
  });

  test('says first that none answers, then offers a new try, and the first address after it', async ({
    page,
    lines,
  }) => {
    for (const host of LINES) lines.set(host, { fault: 'refuse' });
    await page.goto('/t/localhost');
    const again = page.getByRole('button', { name: '重试' });
    await expect(again).toBeFocused();
    const parts = [page.getByRole('heading', { name: '暂时没有可用的线路' }), again];
    const tops = [...parts, page.getByRole('button', ANYWAY)].map(
      async (part) => (await part.boundingBox())?.y,
    );
    const [first = 0, ...rest] = await Promise.all(tops);
    expect(rest).toEqual(rest.toSorted((a = 0, b = 0) => a - b));
    expect(rest[0]).toBeGreaterThan(first);
    lines.set('line2.localhost', {});
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'line2.localhost' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('warns of an address where another server answers, and opens it with the second click only', async ({
    page,
    lines,
  }) => {
    for (const host of LINES) lines.set(host, { fault: 'wrong-marker' });
    await page.goto('/t/localhost');
    await expect(page.getByText(`line1.localhost:${lines.ports[0]}`)).toBeVisible();
    await expect(page.locator('[data-proven], a[href*="line1.localhost"]')).toHaveCount(0);
    const sizes = [
      { width: 390, height: 844 },
      { width: 1280, height: 900 },
    ];
    const listBoxes = async (name: string): Promise<readonly { y: number; height: number }[]> => {
      const boxes = [];
      for (const size of sizes) {
        await page.setViewportSize(size);
        boxes.push((await page.getByRole('button', { name }).boundingBox()) ?? { y: 0, height: Infinity });
      }
      return boxes;
    };
    const before = await listBoxes('点我进入');
    await page.getByRole('button', ENTER).dblclick();
    // The second click of a double click does nothing.
    await expect(page.getByRole('alert')).toHaveText(/无法确认该地址属于/);
    const after = await listBoxes('仍要打开');
    // Nor does a slow one hit the button that opens the address.
    for (const [index, { y, height }] of before.entries())
      expect(
        (after[index]?.y ?? y) + (after[index]?.height ?? 0) <= y || (after[index]?.y ?? y) >= y + height,
      ).toBe(true);
    await expect(page.getByRole('link', { name: '返回首页' })).toHaveAttribute('href', '/');
    await page.getByRole('button', { name: '仍要打开' }).click();
    await expectEntered(page, 'line1.localhost');
  });

  test('says nothing of another server that it said of a line before', async ({ page, lines }) => {
    await page.goto('/t/localhost');
    const button = page.getByRole('button', ENTER);
    await expect(button).toHaveAccessibleDescription(/身份已验证$/);
    const groundOf = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
    const proven = await groundOf();
    for (const host of LINES) lines.set(host, { fault: 'wrong-marker' });
    // The visitor comes back, because the address did not work.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await expect(page.locator('[data-state=unproven] #address:not([href])')).toHaveText(/line1\.localhost/);
    await expect(button).toHaveAccessibleDescription(/^无法确认该地址属于/);
    await expect(page.locator('[data-proven]')).toHaveCount(0);
    // It does not look as certain.
    expect(await groundOf()).not.toBe(proven);
  });

  test(
    'after the warning, a second try leads to an address that has become valid',
    FIREFOX_IN_SOAK,
    async ({ page, lines }) => {
      for (const host of LINES) lines.set(host, { fault: 'wrong-marker' });
      await page.goto('/t/localhost');
      await page.getByRole('button', ENTER).press('Enter');
      await expect(page.getByRole('button', { name: '重试' })).toBeFocused();
      lines.set('line2.localhost', {});
      await page.keyboard.press('Enter');
      await expect(page.getByRole('link', { name: 'line2.localhost' })).toBeVisible();
      await page.getByRole('button', ENTER).click();
      await expectEntered(page, 'line2.localhost');
    },
  );

  test(
    'uses the first of the file, although its keys are numbers',
    FIREFOX_IN_SOAK,
    async ({ page, lines }) => {
      for (const host of LINES) lines.set(host, { fault: 'refuse' });
      const withPort = (host: string) => `http://${host}:${lines.ports[0]}`;
      const body = `{"10":"${withPort('line3.localhost')}","2":"${withPort('line1.localhost')}","1":7}`;
      await page.route('**/json/urls/localhost.json', (route) => route.fulfill({ body }));
      await page.goto('/t/localhost/');
      await expect(page.getByRole('link', { name: 'line3.localhost' })).toBeVisible();
    },
  );

  test(
    'never chooses another server, although it is the fastest',
    FIREFOX_IN_SOAK,
    async ({ page, lines }) => {
      lines.set('line1.localhost', { fault: 'wrong-marker' });
      lines.set('line2.localhost', { delayMs: 500 });
      await page.goto('/t/localhost');
      await expect(page.getByRole('link', { name: 'line2.localhost' })).toBeVisible();
    },
  );

  test('tries more than four only after those have failed', FIREFOX_IN_SOAK, async ({ page, lines }) => {
    const requests = watchRequests(page);
    for (const host of LINES) lines.set(host, { fault: 'wrong-marker' });
    const hosts = [...LINES, ...BACKUPS].map((host) => `http://${host}:${lines.ports[0]}`);
    await page.route('**/json/urls/localhost.json', (route) =>
      route.fulfill({ json: Object.fromEntries(hosts.entries()) }),
    );
    await page.goto('/t/localhost');
    await expect(page.getByRole('link', { name: /backup\d\.localhost/ })).toBeVisible();
    expect(requests.filter(isProbe).slice(0, 4)).toEqual(LINES.map((host) => `${host}/speed.php`));
  });

  test('never offers a malicious address, not even as the first', async ({ page, lines }) => {
    for (const host of LINES) lines.set(host, { fault: 'refuse' });
    const requests = watchRequests(page);
    const json = {
      one: 'javascript:alert(1)',
      two: '//evil.localhost',
      three: 'https://good@evil.localhost',
      four: 'evil.localhost\n',
      five: `http://line3.localhost:${lines.ports[0]}`,
    };
    await page.route('**/json/urls/localhost.json', (route) => route.fulfill({ json }));
    await page.goto('/t/localhost');
    await expect(page.getByRole('link', { name: 'line3.localhost' })).toBeVisible();
    expect(requests.filter((request) => /evil|good/.test(request))).toEqual([]);
  });

  test(
    'says so when the file has no address to offer, and tries again',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      for (const [what, answer] of [
        ['is missing', { status: 404, json: {} }],
        ['is broken', { body: '{"one":' }],
        ['is a list of lists', { json: [['line1.localhost']] }],
        ['is empty', { json: {} }],
        ['has nothing but bad addresses', { json: { one: 'javascript:alert(1)' } }],
      ] as const) {
        await test.step(`when the file ${what}`, async () => {
          await page.route('**/json/urls/localhost.json', (route) => route.fulfill(answer), { times: 1 });
          await page.goto('/t/localhost');
          await expect(page.getByRole('alert')).toHaveText('没有找到该地址，请重试，或返回首页');
          await expect(page.getByRole('link', { name: '返回首页' })).toHaveAttribute('href', '/');
          await expect(page.getByRole('button', ENTER)).toBeHidden();
          await page.getByRole('button', { name: '重试' }).click();
          await expect(page.getByRole('button', ENTER)).toBeFocused();
        });
      }
    },
  );
});

test.describe('/t in a region that is not served', () => {
  test('is a notice, and offers no address', FIREFOX_IN_SOAK, async ({ page, expectedErrors }) => {
    expectedErrors.push(FAILED_CALL);
    await page.route('**/json/urls/localhost.json', (route) => route.fulfill({ status: 451, json: {} }));
    await page.goto('/t/localhost');
    await expect(page.getByRole('alert')).toHaveText('您所在的地区无法使用本服务');
    await expect(page.getByRole('button')).toHaveCount(0);
  });

  test.describe('known to the server', () => {
    test.use(IN_RESTRICTED_REGION);

    test('is a notice as it is sent', FIREFOX_IN_SOAK, async ({ page }) => {
      const requests = watchRequests(page);
      await page.goto('/t/localhost');
      await expect(page.getByText('您所在的地区无法使用本服务')).toBeVisible();
      expect(requests.filter((request) => /json|speed/.test(request))).toEqual([]);
    });
  });
});

// Playwright cannot switch JavaScript off in a Firefox that is not its own.
test.describe('/t without JavaScript', IN_CHROMIUM, () => {
  test.use({ javaScriptEnabled: false });

  test('has the fallback lines as plain links', async ({ page }) => {
    await page.goto('/t/localhost');
    await expect(page.getByRole('link', { name: '官方线路1' })).toHaveAttribute('href', /backup1\.localhost/);
    await expect(page.getByRole('button')).toHaveCount(0);
  });
});
