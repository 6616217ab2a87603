import type { Page } from '@playwright/test';
import type { ConsoleLines, ConsoleNetworks } from '../src/contract/console.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expect, expectNoViolation, test } from './support/console-test.ts';

test.use({ locale: 'zh-CN' });

test(
  'the console has the browser’s language and clock until the operator chooses others, and loses nothing then',
  FIREFOX_IN_SOAK,
  async ({ page, consoleUrl }) => {
    let streams = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/console/events')) streams += 1;
    });
    await page.route('**/api/console/lines', async (route) => {
      const response = await route.fetch();
      const { lines, ...rest } = (await response.json()) as ConsoleLines;
      await route.fulfill({ response, json: { ...rest, lines: lines.map(showTrouble) } });
    });
    await page.goto(consoleUrl);
    await expect(page.getByText('实时', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('北辰体育');
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await expect(page).toHaveTitle('Waypost 控制台');
    await expect(page.getByRole('button', { name: 'GMT+8' })).toHaveAttribute('aria-pressed', 'true');
    const started = page.locator('section[aria-labelledby="replicas"] time').last();
    await expect(started).toContainText(await readClock(started.first(), 8));
    await expect(started).toHaveAttribute('title', /^\d{4}年.*GMT\+8/);

    await page.getByRole('button', { name: '线路' }).click();
    await page.getByRole('combobox', { name: '状态' }).selectOption('degraded');
    await page.getByRole('button', { name: 'English' }).press('Enter');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page).toHaveTitle('Waypost console');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Polaris Sports');
    await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('degraded');
    await expect(page.getByRole('columnheader', { name: 'Line' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(page.getByRole('button', { name: 'English' })).toBeFocused();

    await test.step('at any width, no host is broken inside a word, and the table stays in its panel', async () => {
      const hosts = page.locator('tr[data-line] th a');
      await expect(hosts).toHaveCount(8);
      for (const width of [320, 770, 1_000, 1_160, 1_280, 1_350]) {
        await page.setViewportSize({ width, height: 720 });
        if (width > 320) expect(await hosts.evaluateAll(listBrokenParts), `${width} px`).toEqual([]);
        const excess = await page
          .getByRole('table')
          .evaluate((table) => table.clientWidth - (table.parentElement?.clientWidth ?? 0));
        expect(excess, `${width} px`).toBeLessThanOrEqual(0);
      }
      await page.setViewportSize({ width: 1_280, height: 720 });
    });

    await test.step('light or dark, as the operator chooses', async () => {
      const readGround = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole('button', { name: 'Dark' }).click();
      expect(await readGround()).toBe('rgb(11, 15, 21)');
      await page.getByRole('button', { name: 'As the system' }).click();
      expect(await readGround()).toBe('rgb(246, 247, 249)');
      await page.getByRole('button', { name: 'Dark' }).click();
    });

    await page.getByRole('button', { name: 'UTC' }).click();
    await expect(started).toContainText(await readClock(started, 0));
    await expect(started).toHaveAttribute('title', / UTC /);
    expect(streams).toBe(1);

    await page.reload();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'UTC' })).toHaveAttribute('aria-pressed', 'true');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('button', { name: 'GMT+8' }).click();
    await expect(page.getByRole('heading', { name: '站点目录' })).toBeVisible();
  },
);

/** A line whose row is as wide as rows become. */
function showTrouble(line: ConsoleLines['lines'][number]): ConsoleLines['lines'][number] {
  const numbers = {
    handedOut: 1_234,
    tried: 1_234,
    moved: 12,
    reached: 987,
    p50: 256,
    p95: 4_460,
    failingNetworks: 1,
  };
  return { ...line, ...numbers, status: 'degraded' };
}

/** The texts inside these elements that go on in another line. */
function listBrokenParts(elements: readonly Element[]): readonly string[] {
  const isBroken = (node: Node): boolean => {
    const range = document.createRange();
    range.selectNode(node);
    return range.getClientRects().length > 1;
  };
  const parts = elements.flatMap((element) => [...element.childNodes]);
  return parts.filter(isBroken).map(({ textContent }) => textContent ?? '');
}

/** The time of day of a `<time>`, some hours ahead of UTC. */
async function readClock(time: ReturnType<Page['locator']>, hoursAhead: number): Promise<string> {
  const at = new Date((await time.getAttribute('datetime')) ?? '').getTime() + hoursAhead * 3_600_000;
  return new Date(at).toISOString().slice(11, 16);
}

test.describe('with a line in trouble', () => {
  // From the portal's first look on, so that nobody waits for its next one.
  test.use({
    lines: async ({ lines }, use) => {
      lines.set('line1.localhost', { fault: 'wrong-marker' });
      await use(lines);
    },
  });

  test('every view is accessible in Chinese, too', IN_CHROMIUM, async ({ page, consoleUrl }) => {
    test.setTimeout(120_000);
    const answer = await page.request.get(`${consoleUrl}/api/console/lines`);
    const { lines } = (await answer.json()) as ConsoleLines;
    await page.route('**/api/console/networks', (route) => route.fulfill({ json: describeNetwork(lines) }));
    const views = [
      { hash: '#/', heading: '站点目录' },
      { hash: `#/lines/${lines[0]?.id}`, heading: '服务器自身的探测' },
      { hash: '#/where', heading: '当前故障' },
      { hash: '#/why', heading: '为何是这四条' },
      { hash: '#/history', heading: '访客成功进入的比例' },
    ];
    for (const { hash, heading } of views) {
      await page.goto(`${consoleUrl}/${hash}`);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await expect(page.getByText('加载中…')).toHaveCount(0);
      await expectNoViolation(page, hash, { light: 390, dark: 1440 });
    }
    await page.goto(`${consoleUrl}/${views[1]?.hash}`);
    await expect(page.getByText(/标识为“.*”，应为“waypost-test”。/)).toBeVisible();
  });
});

/** A network in which the first line fails, and the others are reached. */
function describeNetwork(lines: ConsoleLines['lines']): ConsoleNetworks {
  const valueOf = <T>(failing: T, reached: T): readonly T[] =>
    lines.map((_, index) => (index === 0 ? failing : reached));
  const at = Date.now();
  return {
    at,
    known: 1,
    lines,
    networks: [
      {
        name: 'GB/AS2856',
        seenAt: at,
        failing: 1,
        reached: valueOf(0, 20),
        lost: valueOf(9, 0),
        timeMs: valueOf<number | null>(null, 80),
        failingSince: valueOf<number | null>(at - 86_400_000, null),
      },
    ],
  };
}
