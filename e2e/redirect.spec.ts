import type { Page } from '@playwright/test';
import type { MeasurementReport } from '../src/contract/api/measurement-report.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { holdBack, settleAfter } from './support/hold-back.ts';
import { expect, IN_RESTRICTED_REGION, LINES, test } from './support/test.ts';
import { FAILED_CALL, isProbe, watchRequests } from './support/watch-requests.ts';

/** Opens `/r`, and leaves it to it to go on. */
function open(page: Page, query = ''): Promise<unknown> {
  return page.goto(`/r${query}`, { waitUntil: 'commit' });
}

/** What the page reports, as it leaves: a browser tells nobody of a beacon that outlives its page. */
async function watchReports(page: Page): Promise<readonly MeasurementReport[]> {
  const reports: MeasurementReport[] = [];
  await page.exposeFunction('noteReport', (body: string) =>
    reports.push(JSON.parse(body) as MeasurementReport),
  );
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (path, body) => {
      (window as unknown as { noteReport: (body: unknown) => void }).noteReport(body);
      return send(path, body);
    };
  });
  return reports;
}

test.describe('/r, of a portal that nobody else has visited,', () => {
  test.use({ hasOwnPortal: true });

  test('takes the visitor to the fastest of four lines, in the order of the calls, and reports it', async ({
    page,
    lines,
    portal,
  }) => {
    lines.set('line1.localhost', { delayMs: 3_000 });
    lines.set('line2.localhost', { delayMs: 3_000 });
    lines.set('line3.localhost', { delayMs: 400 });
    lines.set('line4.localhost', { fault: 'hang' });
    const requests = watchRequests(page);
    const reports = await watchReports(page);
    await open(page);
    await expectEntered(page, 'line3.localhost');
    expect(requests.slice(0, 4)).toEqual(['/r', '/api/get_ip', '/json/link.json', '/api/hostnames']);
    expect(requests.slice(4, 8).toSorted()).toEqual(LINES.map((host) => `${host}/speed.php`));
    expect(requests.slice(8)).toEqual(['line3.localhost/']);
    for (const host of ['line1.localhost', 'line2.localhost', 'line4.localhost']) {
      const countOpen = () => lines.requests(host).probes - lines.requests(host).aborted;
      await expect.poll(countOpen).toBe(0);
    }
    const [report] = reports;
    expect(reports).toHaveLength(1);
    expect(report?.results.find(({ index }) => index === report.entered)).toMatchObject({ outcome: 'valid' });
    const readMetrics = async () => (await fetch(`${portal.opsUrl}/metrics`)).text();
    await expect.poll(readMetrics).toContain('waypost_measurements_total{verdict="accepted"} 1');
    const outcomes = [
      ...(await readMetrics()).matchAll(/line_results_total{line="(.*?):\d+",outcome="(.*?)"} 1/g),
    ];
    expect(outcomes.map(([, line, outcome]) => `${line} ${outcome}`).toSorted()).toEqual([
      'http://line1.localhost open',
      'http://line2.localhost open',
      'http://line3.localhost valid',
      'http://line4.localhost open',
    ]);
  });
});

test.describe('/r', () => {
  test('waits 3 s for the links config where the browser has kept one', FIREFOX_IN_SOAK, async ({ page }) => {
    await page.goto('/');
    await page.locator('[data-phase="ready"]').waitFor();
    await page.evaluate(() => sessionStorage.clear());
    await page.route('**/json/link.json', () => undefined);
    await open(page);
    await expectEntered(page, /^www\d+\.line\d\.localhost$/);
  });

  test('shows the background of the brand at once, and what it does when that takes long', async ({
    page,
  }) => {
    await page.route('**/json/link.json', () => undefined);
    await open(page);
    await expect(page).toHaveTitle('北辰体育（虚构示范）');
    await page.waitForFunction(() => document.readyState !== 'loading');
    await expect(page.locator('body')).toBeHidden();
    await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(10, 15, 26)');
    const status = page.getByText('正在选择最快的地址…');
    await expect(status).toHaveCSS('animation-delay', '1.5s');
    await expect(status).toBeVisible();
    await expect(page.locator('body')).toBeHidden();
  });

  test('never goes to another server, although it is the fastest', async ({ page, lines }) => {
    for (const host of ['line1.localhost', 'line2.localhost', 'line3.localhost'])
      lines.set(host, { fault: 'wrong-marker' });
    lines.set('line4.localhost', { delayMs: 400 });
    await open(page);
    await expectEntered(page, 'line4.localhost');
  });

  test('sends no probe before the links config has settled', FIREFOX_IN_SOAK, async ({ page }) => {
    const requests = watchRequests(page);
    const release = await holdBack(page, '**/json/link.json');
    const answered = page.waitForResponse('**/api/hostnames');
    await open(page);
    await settleAfter(page, answered);
    expect(requests.filter(isProbe)).toEqual([]);
    release();
    await expectEntered(page);
  });

  test(
    'with a slash, a query and a hash is the same small page, which leaves them behind',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      const requests = watchRequests(page);
      const asked = page.waitForRequest('**/api/hostnames');
      await page.goto('/r/?code=7#top', { waitUntil: 'commit' });
      await test.step('tells the hostname call who is calling', async () => {
        const { realuseraddr, realuserid } = (await asked).headers();
        expect(realuseraddr).toMatch(/^(?:127\.0\.0\.1|::1)$/);
        expect(realuserid).toMatch(/^[\w.-]{20,}$/);
      });
      await page.waitForURL(/localhost:\d+\/$/);
      await expectEntered(page);
      await test.step('asks for nothing beside its calls', () => {
        const ofThePortal = requests.filter((request) => request.startsWith('/'));
        expect(ofThePortal).toEqual(['/r/', '/api/get_ip', '/json/link.json', '/api/hostnames']);
      });
    },
  );
});

test.describe('/r, where the visitor’s query and hash are wanted,', () => {
  test.use({ changes: { site: { redirect: { keepQuery: true } } } });

  test('takes them along', FIREFOX_IN_SOAK, async ({ page }) => {
    await open(page, '?code=7&next=//evil.localhost#top');
    await page.waitForURL(/line\d\.localhost:\d+\/\?code=7&next=\/\/evil\.localhost#top$/);
  });
});

test.describe('/r in a tab that nobody sees', () => {
  test('goes to a line, and leaves no result for the next page', FIREFOX_IN_SOAK, async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(document, 'hidden', { get: () => location.pathname === '/r' });
    });
    const requests = watchRequests(page);
    await open(page);
    await expectEntered(page);
    const probed = requests.filter(isProbe).length;
    await page.goto('/');
    await expect(page.locator('[data-row] [data-speed]')).toHaveText([/ms$/, /ms$/, /ms$/, /ms$/]);
    expect(requests.filter(isProbe).slice(probed).toSorted()).toEqual(
      LINES.map((host) => `${host}/speed.php`),
    );
  });
});

test.describe('/r and the history', () => {
  test('Back from the line leads to the page before /r', async ({ page, lines, portal }) => {
    const before = `http://backup1.localhost:${lines.ports[0]}/`;
    await page.goto(before);
    await page.evaluate((url) => location.assign(url), `${portal.url}/r`);
    await expectEntered(page, /^www\d+\.line\d\.localhost$/);
    // Chromium cannot go back from a page that is still taking the place of another.
    await page.waitForLoadState();
    await page.goBack({ waitUntil: 'commit' });
    await expect(page).toHaveURL(before);
  });

  test(
    'a second visit within 10 s uses the result of the first',
    FIREFOX_IN_SOAK,
    async ({ page, lines }) => {
      for (const host of ['line1.localhost', 'line2.localhost', 'line3.localhost'])
        lines.set(host, { delayMs: 2_000 });
      const requests = watchRequests(page);
      await open(page);
      await expectEntered(page, 'line4.localhost');
      await open(page);
      await expectEntered(page, 'line4.localhost');
      expect(requests.filter(isProbe)).toHaveLength(LINES.length);
    },
  );

  test(
    'a prerendered page asks for nothing until the visitor is there',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      const requests = watchRequests(page);
      await page.addInitScript(() => {
        Object.defineProperty(document, 'prerendering', { value: true });
      });
      await page.goto('/r');
      expect(requests).toEqual(['/r']);
      await page.evaluate(() => document.dispatchEvent(new Event('prerenderingchange')));
      await expectEntered(page);
    },
  );
});

test.describe('/r in a region that is not served', () => {
  // Firefox drops the open call as soon as it is on its way.
  test(
    'is a notice although that is known late, and the browser is on its way to a fallback line',
    IN_CHROMIUM,
    async ({ page, expectedErrors }) => {
      expectedErrors.push(FAILED_CALL);
      const answer = await holdBack(page, '**/api/hostnames', { status: 451, json: {} });
      // The document of the line does not come, so that the browser has not left yet.
      await page.route(/backup\d\.localhost:\d+\/$/, () => undefined);
      const leaving = page.waitForRequest(/backup\d\.localhost:\d+\/$/);
      await open(page);
      await leaving;
      answer();
      await expect(page.getByRole('alert')).toHaveText('您所在的地区无法使用本服务');
      await expect(page.getByRole('button')).toHaveCount(0);
      expect(new URL(page.url()).pathname).toBe('/r');
    },
  );

  test('is a notice, and sends nobody anywhere', FIREFOX_IN_SOAK, async ({ page, expectedErrors }) => {
    expectedErrors.push(FAILED_CALL);
    const requests = watchRequests(page);
    await page.route('**/api/hostnames', (route) => route.fulfill({ status: 451, json: {} }));
    await open(page);
    await expect(page.getByRole('alert')).toHaveText('您所在的地区无法使用本服务');
    await expect(page.getByRole('button')).toHaveCount(0);
    expect(requests.filter(isProbe)).toEqual([]);
  });

  test.describe('known to the server', () => {
    test.use(IN_RESTRICTED_REGION);

    for (const javaScriptEnabled of [true, false]) {
      // Playwright cannot switch JavaScript off in a Firefox that is not its own.
      const where = javaScriptEnabled ? FIREFOX_IN_SOAK : IN_CHROMIUM;
      test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', where, () => {
        test.use({ javaScriptEnabled });

        test('is a notice as it is sent, without a line', async ({ page }) => {
          const requests = watchRequests(page);
          await page.goto('/r');
          await expect(page.getByText('您所在的地区无法使用本服务')).toBeVisible();
          expect(await page.content()).not.toContain('line1.localhost');
          expect(await page.content()).not.toContain('backup1.localhost');
          expect(requests.filter((request) => /api|json|speed/.test(request))).toEqual([]);
        });
      });
    }
  });
});

test.describe('/r without JavaScript', IN_CHROMIUM, () => {
  test.use({ javaScriptEnabled: false });

  test('has the fallback lines as plain links', async ({ page }) => {
    await page.goto('/r');
    const link = page.getByRole('link', { name: '官方线路1' });
    await expect(link).toHaveAttribute('href', /^http:\/\/www\d+\.backup1\.localhost:\d+/);
    await expect(page.getByRole('link', { name: '官方线路4' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await link.click();
    await expectEntered(page, 'backup1.localhost');
  });
});

test.describe('/r of a site with sticky lines', () => {
  test.use({ changes: { site: { lines: { sticky: true } } } });

  test('keeps the line that was entered in a cookie, although the page is gone by then', async ({
    page,
    context,
    portal,
  }) => {
    await open(page);
    await expectEntered(page, /^www\d+\.line\d\.localhost$/);
    const findCookie = async () =>
      (await context.cookies(portal.url)).find(({ name }) => name === 'waypost.line');
    await expect.poll(findCookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    const call = page.waitForRequest('**/api/hostnames');
    await page.goto(`${portal.url}/r`, { waitUntil: 'commit' });
    const { cookie } = await (await call).allHeaders();
    expect(cookie).toContain(`waypost.line=${(await findCookie())?.value}`);
  });
});
