import { FIREFOX_IN_SOAK, GUARDED_NAMES, IN_CHROMIUM } from './support/browsers.ts';
import { requestRaw } from './support/request-raw.ts';
import { expect, test } from './support/test.ts';
import { FAILED_CALL } from './support/watch-requests.ts';

const [GO, APP, OTHER] = GUARDED_NAMES;

// No browser is asked anything here.
test.describe('the guard of /t, by the server,', IN_CHROMIUM, () => {
  test('lets the allowed hosts pass', async ({ portal }) => {
    const { port } = new URL(portal.url);
    for (const host of [GO, 'GO.demo.example', APP, 'localhost']) {
      expect(await requestRaw(portal.url, '/t/app', `${host}:${port}`)).toMatchObject({ status: 200 });
    }
  });

  test('gives them a target, by the first label of their names', async ({ portal }) => {
    for (const [host, target] of Object.entries({ [GO]: 'go', [APP]: 'app', localhost: 'localhost' })) {
      for (const path of ['/t', '/t/']) {
        const headers = { location: `/t/${target}`, 'cache-control': 'no-store' };
        expect(await requestRaw(portal.url, path, host)).toMatchObject({ status: 302, headers });
      }
    }
  });

  test('takes no notice of a slash at the end', async ({ portal }) => {
    expect(await requestRaw(portal.url, '/t/localhost/', 'localhost')).toMatchObject({ status: 200 });
  });

  test('sends every other host to the landing page', async ({ portal }) => {
    for (const host of [OTHER, 'demo.example', 'x.localhost', `${GO}.evil.example`, '127.0.0.1']) {
      for (const path of ['/t', '/t/app']) {
        const headers = { location: '/' };
        expect(await requestRaw(portal.url, path, host)).toMatchObject({ status: 302, headers });
      }
    }
  });

  test('sends what is no target to the landing page', async ({ portal }) => {
    const names = ['a'.repeat(300), '%E4%B8%AD%E6%96%87', 'a/b', 'a.b', 'a%0a', '<x>'];
    const targets = [...names, '..', '%2e%2e', '%252e%252e'];
    for (const target of targets) {
      const headers = { location: '/' };
      expect(await requestRaw(portal.url, `/t/${target}`, 'localhost')).toMatchObject({
        status: 302,
        headers,
      });
    }
  });
});

test.describe('the guard of /t on a host with an international name', () => {
  const changes = { site: { typeRedirect: { allowedHosts: ['线路.demo.example', 'localhost'] } } };
  test.use({ changes });

  test('knows it by the name that browsers send', IN_CHROMIUM, async ({ portal }) => {
    const host = 'xn--on0a042a.demo.example';
    expect(await requestRaw(portal.url, '/t/app', host)).toMatchObject({ status: 200 });
    const headers = { location: '/t/xn--on0a042a' };
    expect(await requestRaw(portal.url, '/t', `${host}.`)).toMatchObject({ status: 302, headers });
  });

  test('lets the browser stay', async ({ page, portal }) => {
    const html = await (await fetch(`${portal.url}/t/localhost`)).text();
    const asked = page.waitForRequest('**/json/urls/go.json');
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      return pathname.startsWith('/t')
        ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html })
        : route.fulfill({ json: { one: 'line1.localhost' } });
    });
    await page.goto('http://xn--on0a042a.demo.example/t/go', { waitUntil: 'commit' });
    await asked;
    await expect(page).toHaveURL('http://xn--on0a042a.demo.example/t/go');
  });
});

test.describe('the guard of /t, in a browser,', () => {
  test.beforeEach(({ expectedErrors }) => {
    // Neither of which matters where the portal is reached by https.
    expectedErrors.push(/Cross-Origin-Opener-Policy header has been ignored/, FAILED_CALL);
  });

  test('takes an allowed host to its default target', FIREFOX_IN_SOAK, async ({ page, portal }) => {
    const { port } = new URL(portal.url);
    await page.route('**/json/urls/go.json', (route) => route.fulfill({ json: { one: 'line1.localhost' } }));
    await page.goto(`http://${GO}:${port}/t`);
    await expect(page).toHaveURL(`http://${GO}:${port}/t/go`);
    await expect(page.getByRole('button', { name: '仍要打开' })).toBeVisible();
  });

  test('takes any other host to the landing page', FIREFOX_IN_SOAK, async ({ page, portal }) => {
    const { port } = new URL(portal.url);
    await page.goto(`http://${OTHER}:${port}/t/go`);
    await expect(page).toHaveURL(`http://${OTHER}:${port}/`);
  });

  // As on static hosting, where no server stands guard: the page is the same wherever it is asked for.
  test('without the server, does the same', async ({ page, portal }) => {
    const html = await (await fetch(`${portal.url}/t/localhost`)).text();
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      const body = pathname.startsWith('/t') ? html : '<!doctype html><title>home</title>';
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body });
    });
    for (const [from, to] of [
      [`http://${GO}/t`, `http://${GO}/t/go`],
      [`http://${APP}/t/?code=7#part`, `http://${APP}/t/app?code=7#part`],
      [`http://${OTHER}/t/go`, `http://${OTHER}/`],
      [`http://${GO}/t/a.b`, `http://${GO}/`],
      [`http://${GO}/t/中文`, `http://${GO}/`],
    ] as const) {
      await test.step(`takes ${from} to ${to}`, async () => {
        await page.goto(from, { waitUntil: 'commit' });
        await expect(page).toHaveURL(to);
        // Firefox starts over where the page before is still on its way.
        await page.waitForLoadState();
      });
    }
  });
});
