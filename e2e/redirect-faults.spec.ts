import type { LineHosts } from '../src/line/start-line-hosts.ts';
import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { holdBack } from './support/hold-back.ts';
import { BACKUPS, expect, LINES, test } from './support/test.ts';
import { FAILED_CALL, isProbe, watchRequests } from './support/watch-requests.ts';

test.beforeEach(({ expectedErrors }) => {
  expectedErrors.push(FAILED_CALL);
});

function breakAll(lines: LineHosts, hosts: readonly string[], fault: 'hang' | 'refuse'): void {
  for (const host of hosts) lines.set(host, { fault });
}

test.describe('/r, when lines fail,', () => {
  test('goes to the only line that can be reached', async ({ page, lines }) => {
    breakAll(lines, [...LINES, ...BACKUPS], 'refuse');
    lines.set('line2.localhost', { delayMs: 300 });
    await page.goto('/r', { waitUntil: 'commit' });
    await expectEntered(page, 'line2.localhost');
  });

  for (const fault of ['refuse', 'hang'] as const) {
    // In both browsers, one that refuses is in the test above.
    const where = fault === 'refuse' ? FIREFOX_IN_SOAK : {};
    test(`goes to a fallback line where all others ${fault}`, where, async ({ page, lines }) => {
      breakAll(lines, LINES, fault);
      breakAll(lines, BACKUPS.slice(1), fault);
      await page.goto('/r', { waitUntil: 'commit' });
      await expectEntered(page, 'backup1.localhost');
    });
  }
});

test.describe('/r, when calls fail,', () => {
  test('goes to a fallback line when the hostname call brings no host', FIREFOX_IN_SOAK, async ({ page }) => {
    for (const [what, answer] of [
      ['fails', { status: 500, json: {} }],
      ['returns garbage', { body: '<html>' }],
      ['returns an empty list', { json: [] }],
      ['returns nothing but bad entries', { json: [null, 7, { name: 'x' }, ''] }],
    ] as const) {
      await test.step(`when it ${what}`, async () => {
        await page.route('**/api/hostnames', (route) => route.fulfill(answer));
        await page.goto('/r', { waitUntil: 'commit' });
        await expectEntered(page, /backup\d\.localhost$/);
        // Firefox starts over where the page before is still on its way.
        await page.waitForLoadState();
      });
    }
  });

  // That it waits 3 s, no less and no more, is a unit test's matter: seen from here, moments come late.
  test('goes to a fallback line when the hostname call hangs', FIREFOX_IN_SOAK, async ({ page, lines }) => {
    await page.route('**/api/hostnames', () => undefined);
    await page.goto('/r', { waitUntil: 'commit' });
    await expectEntered(page, /backup\d\.localhost$/);
    expect(LINES.map((host) => lines.requests(host).probes)).toEqual([0, 0, 0, 0]);
  });

  test('works without the links config', FIREFOX_IN_SOAK, async ({ page }) => {
    await page.route('**/json/link.json', (route) => route.abort());
    await page.goto('/r', { waitUntil: 'commit' });
    await expectEntered(page);
  });

  test(
    'goes on without the caller’s address when that service is down',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      await page.route('**/api/get_ip', (route) => route.abort());
      const asked = page.waitForRequest('**/api/hostnames');
      await page.goto('/r', { waitUntil: 'commit' });
      expect((await asked).headers()).not.toHaveProperty('realuseraddr');
      await expectEntered(page);
    },
  );

  test('goes on without the caller’s address where no header can carry its fields', async ({ page }) => {
    for (const [what, body] of [
      ['fit into none', '{"get_ip":"地址","key_id":"k"}'],
      ['are too long for one', JSON.stringify({ get_ip: '192.0.2.7', key_id: 'k'.repeat(20_000) })],
    ] as const) {
      await test.step(`because they ${what}`, async () => {
        await page.route('**/api/get_ip', (route) => route.fulfill({ body }));
        const asked = page.waitForRequest('**/api/hostnames');
        await page.goto('/r', { waitUntil: 'commit' });
        expect((await asked).headers()).not.toHaveProperty('realuseraddr');
        await expectEntered(page, /^www\d+\.line\d\.localhost$/);
        await page.waitForLoadState();
      });
    }
  });

  test(
    'passes a key on as it is written, a number of twenty digits too',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      const body = '{"get_ip":"192.0.2.7","key_id":12345678901234567890}';
      await page.route('**/api/get_ip', (route) => route.fulfill({ body }));
      const asked = page.waitForRequest('**/api/hostnames');
      await page.goto('/r', { waitUntil: 'commit' });
      expect((await asked).headers()['realuserid']).toBe('12345678901234567890');
      await expectEntered(page);
    },
  );

  test(
    'goes on without the caller’s address when that service takes too long',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      await page.route('**/api/get_ip', () => undefined);
      const asked = page.waitForRequest('**/api/hostnames');
      await page.goto('/r', { waitUntil: 'commit' });
      expect((await asked).headers()).not.toHaveProperty('realuserid');
      await expectEntered(page);
    },
  );

  test('never goes where a malicious entry leads', async ({ page, lines }) => {
    const port = lines.ports[0];
    const requests = watchRequests(page);
    const malicious = [
      'javascript:alert(1)',
      `//evil.localhost:${port}`,
      `https://good@evil.localhost:${port}`,
      `http://good:1@evil.localhost:${port}`,
      `evil.localhost\n:${port}`,
      `http://evil.localhost:${port}/path`,
      `http:\\\\evil.localhost:${port}`,
      `data:text/html,<script>alert(1)</script>`,
    ];
    lines.set('evil.localhost', {});
    // The good one keeps its place among the four, beside any number of bad ones.
    const hosts = [...malicious, `http://line4.localhost:${port}`];
    await page.route('**/api/hostnames', (route) => route.fulfill({ json: hosts }));
    await page.goto('/r', { waitUntil: 'commit' });
    await expectEntered(page, 'line4.localhost');
    expect(requests.filter((request) => /evil|good|javascript|data/.test(request))).toEqual([]);
    expect(lines.requests('evil.localhost').probes).toBe(0);
  });
});

test.describe('/r, where no line can be reached,', () => {
  let requests: readonly string[] = [];

  test.beforeEach(async ({ page, lines }) => {
    requests = watchRequests(page);
    breakAll(lines, [...LINES, ...BACKUPS], 'refuse');
    await page.goto('/r', { waitUntil: 'commit' });
    await expect(page.getByRole('alert')).toContainText('暂时没有可用的线路');
  });

  test('says so, offers ways on, and tries again when it is told to', async ({ page, lines }) => {
    const again = page.getByRole('button', { name: '重试' });
    await test.step('does not loop', async () => {
      await expect(again).toBeVisible();
      await expect(page.getByRole('heading', { name: '暂时没有可用的线路' })).toBeVisible();
      await expect(page.getByRole('img', { name: '北辰体育' })).toBeVisible();
      await expect(page.getByRole('link', { name: '返回首页' })).toHaveAttribute('href', '/');
      await expect(page.getByRole('link', { name: '在线客服' })).toHaveAttribute('href', /^https:/);
      expect(requests.filter(isProbe).toSorted()).toEqual(
        [...BACKUPS, ...LINES].map((host) => `${host}/speed.php`),
      );
      expect(new URL(page.url()).pathname).toBe('/r');
    });
    await test.step('says so again when the next try fails too', async () => {
      const answer = await holdBack(page, '**/api/hostnames');
      await again.click();
      await expect(page.getByRole('status')).toHaveText('北辰体育（虚构示范）正在选择最快的地址…');
      await expect(page.getByRole('alert')).toHaveCount(0);
      answer();
      await expect.poll(() => requests.filter(isProbe).length).toBe(16);
      await expect(page.getByRole('alert')).toBeVisible();
      await expect(page.getByRole('status')).toHaveCount(0);
    });
    await test.step('measures anew', async () => {
      lines.set('line3.localhost', {});
      // As a translator leaves it: the label is an element of its own.
      await again.evaluate((button) => {
        button.innerHTML = `<font>${button.innerHTML}</font>`;
      });
      await page.getByText('重试', { exact: true }).click();
      await expectEntered(page, 'line3.localhost');
    });
  });

  test(
    'tries again by itself when it comes out of the back/forward cache',
    FIREFOX_IN_SOAK,
    async ({ page, lines }) => {
      lines.set('line2.localhost', {});
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      await expectEntered(page, 'line2.localhost');
    },
  );
});
