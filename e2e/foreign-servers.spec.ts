import type { Locator, Page } from '@playwright/test';
import { createRandom } from '../src/engine/testing/create-random.ts';
import { tenthOf } from '../src/engine/testing/tenth-of.ts';
import { FOREIGN_SERVERS, type LineMisbehaviour } from '../src/line/line-behaviour.ts';
import { type LineHosts, startLineHosts } from '../src/line/start-line-hosts.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { makeCertificate } from './support/make-certificate.ts';
import { BACKUPS, expect, LINES, test } from './support/test.ts';

const HOSTS = [...LINES, ...BACKUPS];
const ENTER = { name: '点我进入' };
const OF_ROW = /^官方线路\d$/;

const rows = (page: Page): Locator => page.locator('[data-row]');
const unproven = (page: Page): Locator => rows(page).filter({ hasText: '未通过验证' });
const warning = (page: Page): Locator => page.getByRole('dialog', { name: /^官方线路\d未通过身份验证$/ });
/** How often the page of each host was asked for: by a visitor who enters it, or ahead of that. */
const countPages = (lines: LineHosts): number[] => HOSTS.map((host) => lines.requests(host).pages);
const NO_PAGES = HOSTS.map(() => 0);

test.beforeEach(({ expectedErrors }) => {
  // Browsers report each request that fails.
  expectedErrors.push(/\.localhost/);
});

/** Hands these hosts out, in this order. */
async function handOut(page: Page, { ports }: LineHosts, hosts: readonly string[]): Promise<void> {
  const json = hosts.map((host) => `http://${host}:${ports[0]}`);
  await page.route('**/api/hostnames', (route) => route.fulfill({ json }));
}

test.describe('on /, a line whose domain somebody else has taken over', () => {
  // Four rows, and at least one line of ours in the second visit.
  for (const foreigners of [FOREIGN_SERVERS.slice(0, 4), FOREIGN_SERVERS.slice(4)]) {
    test(`is not entered with one click, nor fetched ahead: ${foreigners.join(', ')}`, async ({
      page,
      context,
      lines,
    }) => {
      for (const [index, fault] of foreigners.entries()) lines.set(LINES[index] ?? '', { fault });
      await handOut(page, lines, LINES);
      await page.goto('/');
      await expect(unproven(page)).toHaveCount(foreigners.length);
      await expect(unproven(page).locator('[data-speed]')).toHaveText(foreigners.map(() => '大于5秒'));
      await expect(unproven(page).locator('[href]')).toHaveCount(0);
      for (const row of await unproven(page).all()) {
        const enter = row.getByRole('button', { name: OF_ROW });
        await enter.hover();
        await enter.click({ button: 'middle' });
        await enter.click();
        await expect(warning(page)).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(warning(page)).toBeHidden();
      }
      expect(context.pages()).toHaveLength(1);
      expect(foreigners.map((_, index) => lines.requests(LINES[index] ?? '').pages)).toEqual(
        foreigners.map(() => 0),
      );
    });
  }

  test('is entered with the second click, and reported as the wrong server', async ({
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
    lines.set('line2.localhost', { fault: 'parking-page' });
    await page.goto('/');
    await unproven(page).getByRole('button', { name: OF_ROW }).click();
    const anyway = warning(page).getByRole('link', { name: '仍要打开' });
    const [opened] = await Promise.all([context.waitForEvent('page'), anyway.click()]);
    await expect(opened).toHaveURL(/\.line2\.localhost:/);
    const sent = await page.waitForFunction(() => sessionStorage.getItem('report'));
    const { entered, results } = JSON.parse((await sent.jsonValue()) ?? '') as {
      readonly entered: number;
      readonly results: readonly { readonly index: number; readonly outcome: string }[];
    };
    expect(results.find(({ index }) => index === entered)?.outcome).toBe('wrong-server');
  });

  test('has no link while that is not clear, nor during a retest', async ({ page, lines }) => {
    lines.set('line1.localhost', { fault: 'no-cors', delayMs: 2_000 });
    await page.goto('/');
    const links = page.locator('[data-row] a[href*="line1.localhost"]');
    await expect(links).toHaveCount(1);
    await expect.poll(() => lines.requests('line1.localhost').probes).toBe(2);
    await expect(links).toHaveCount(0);
    await expect(unproven(page)).toHaveCount(1);
    await expect(links).toHaveCount(0);
    lines.set('line1.localhost', { fault: 'hang' });
    await page.getByRole('button', { name: '重新测速' }).click();
    await expect.poll(() => lines.requests('line1.localhost').probes).toBe(3);
    await expect(links).toHaveCount(0);
    // A line that times out may only be slow.
    await expect(rows(page).filter({ hasText: '连接超时' })).toHaveCount(1);
    await expect(links).toHaveCount(1);
  });

  test('is asked again by / although /r, which does not ask, has just called it unreachable', async ({
    page,
    lines,
  }) => {
    for (const host of HOSTS) lines.set(host, { fault: 'parking-page' });
    await page.goto('/r');
    await page.getByRole('link', { name: '返回首页' }).click();
    await expect(unproven(page)).toHaveCount(4);
    await expect(page.locator('[data-row] [href]')).toHaveCount(0);
    expect(countPages(lines)).toEqual(NO_PAGES);
  });

  test(
    `is never entered in ${tenthOf(1_000)} clicks of every kind`,
    FIREFOX_IN_SOAK,
    async ({ page, context, lines }) => {
      // Each click waits for the probes of four lines: half a second on a quiet machine.
      test.setTimeout(3_600_000);
      const random = createRandom(31);
      const draw = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
      const faults: readonly LineMisbehaviour[] = [...FOREIGN_SERVERS, 'wrong-marker', 'no-marker', 'error'];
      await handOut(page, lines, LINES);
      let clicks = 0;
      while (clicks < tenthOf(1_000)) {
        for (const host of LINES)
          lines.set(host, { fault: draw(faults), delayMs: Math.floor(random() * 200) });
        if (clicks === 0) await page.goto('/');
        else {
          const place = await draw(
            await rows(page).getByRole('button', { name: OF_ROW }).all(),
          ).boundingBox();
          await page.getByRole('button', { name: '重新测速' }).click();
          // Somebody else answered there before, so until it is measured again the row leads nowhere.
          await page.mouse.click((place?.x ?? 0) + 5, (place?.y ?? 0) + 5);
          await page.keyboard.press('Escape');
        }
        await expect(unproven(page)).toHaveCount(4);
        for (const row of await rows(page).all()) {
          const enter = row.getByRole('button', { name: OF_ROW });
          clicks += 1;
          const kind = draw(['click', 'double click', 'key'] as const);
          if (kind === 'key') await enter.press('Enter');
          else await enter.click({ clickCount: kind === 'click' ? 1 : 2 });
          await expect(warning(page)).toBeVisible();
          await page.keyboard.press('Escape');
          await expect(warning(page)).toBeHidden();
        }
      }
      expect(context.pages()).toHaveLength(1);
      expect(countPages(lines)).toEqual(NO_PAGES);
    },
  );
});

test.describe('on /, a redirect from https to http, which the page’s own policy forbids,', () => {
  test.use({
    ignoreHTTPSErrors: true,
    // No address is http, so the policy of the pages does not allow http.
    changes: {
      site: {
        lines: {
          hosts: ['line.example'],
          fallback: ['a.example', 'b.example', 'c.example', 'd.example'],
        },
      },
      targets: { localhost: { one: 'line.example' } },
    },
  });

  test('is an answer of somebody else', async ({ page }) => {
    const tls = await makeCertificate(LINES.map((host) => `*.${host}`));
    const hosts = Object.fromEntries(LINES.map((host) => [host, {}]));
    const lines = await startLineHosts({ marker: 'waypost-test', ports: [0], hosts, tls });
    lines.set('line1.localhost', { fault: 'redirect-to-http' });
    lines.set('line2.localhost', { fault: 'refuse' });
    const json = LINES.map((host) => `https://${host}:${lines.ports[0]}`);
    await page.route('**/api/hostnames', (route) => route.fulfill({ json }));
    const response = await page.goto('/');
    expect(response?.headers()['content-security-policy']).toContain("connect-src 'self' https:;");
    await expect(unproven(page)).toHaveCount(1);
    await expect(rows(page).filter({ hasText: '无法连接' })).toHaveCount(1);
    await expect(page.locator('[data-row] a[href*="line1.localhost"]')).toHaveCount(0);
    await expect(page.locator('[data-row] a[href*="line2.localhost"]')).toHaveCount(1);
    await lines.close();
  });
});

test.describe('on /t, an address whose domain somebody else has taken over', () => {
  const other = (page: Page): Locator => page.getByRole('link', { name: '改用其他地址' });

  for (const fault of FOREIGN_SERVERS) {
    test(
      `is not entered with one click, and the next one is offered: ${fault}`,
      FIREFOX_IN_SOAK,
      async ({ page, lines, browserName }) => {
        lines.set('line1.localhost', { fault });
        lines.set('line2.localhost', { fault: 'refuse' });
        await page.goto('/t/localhost');
        await expect(page.getByText(`line1.localhost:${lines.ports[0]}`)).toBeVisible();
        await expect(page.locator('[data-proven], [data-when="found"] [href]:not([href="/"])')).toHaveCount(
          0,
        );
        // Playwright's Firefox does not count clicks: the second one of a double click is another first one.
        await page.getByRole('button', ENTER).click({ clickCount: browserName === 'firefox' ? 1 : 2 });
        await expect(page.getByRole('alert')).toHaveText(/无法确认该地址属于/);
        await expect(other(page)).toContainText(`line2.localhost:${lines.ports[0]}`);
        expect(lines.requests('line1.localhost').pages).toBe(0);
      },
    );
  }

  test('is left for the other address with one more click', async ({ page, lines }) => {
    lines.set('line1.localhost', { fault: 'wrong-marker' });
    lines.set('line2.localhost', { fault: 'refuse' });
    await page.goto('/t/localhost');
    await page.getByRole('button', ENTER).press('Enter');
    await expect(other(page)).toBeFocused();
    await expect(other(page)).toHaveAttribute('href', `http://line2.localhost:${lines.ports[0]}/`);
    // The server is back.
    lines.set('line2.localhost', {});
    await other(page).click();
    await expectEntered(page, 'line2.localhost');
    expect(lines.requests('line1.localhost').pages).toBe(0);
  });

  test('is entered with the second click, where no address is better', async ({ page, lines }) => {
    lines.set('line1.localhost', { fault: 'wrong-marker' });
    lines.set('line2.localhost', { fault: 'redirect-elsewhere' });
    await page.goto('/t/localhost');
    await page.getByRole('button', ENTER).press('Enter');
    await expect(page.getByRole('button', { name: '重试' })).toBeFocused();
    await expect(other(page)).toBeHidden();
    expect(countPages(lines)).toEqual(NO_PAGES);
    await page.getByRole('button', { name: '仍要打开' }).click();
    await expectEntered(page, 'line1.localhost');
  });

  test('makes no difference as the second, where the first may only be blocked', async ({ page, lines }) => {
    lines.set('line1.localhost', { fault: 'refuse' });
    lines.set('line2.localhost', { fault: 'captive-portal' });
    await page.goto('/t/localhost');
    await expect(page.getByRole('link', { name: 'line1.localhost' })).toBeVisible();
    await expect(page.locator('[data-proven]')).toHaveCount(0);
  });

  test('makes no difference where another one is valid', IN_CHROMIUM, async ({ page, lines }) => {
    lines.set('line1.localhost', { fault: 'marker-without-cors' });
    lines.set('line2.localhost', { delayMs: 500 });
    await page.goto('/t/localhost');
    await page.getByRole('button', ENTER).click();
    await expectEntered(page, 'line2.localhost');
    expect(lines.requests('line1.localhost').pages).toBe(0);
  });
});
