import type { Locator, Page } from '@playwright/test';
import { IN_CHROMIUM } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { type WatchedLine, type WatchedLineKnobs, startWatchedLine } from './support/start-watched-line.ts';
import { BACKUPS, expect, test } from './support/test.ts';
import { FAILED_CALL } from './support/watch-requests.ts';

const PREFETCH = { isPrefetch: true, referrer: undefined };
let lines: WatchedLine[] = [];

test.afterEach(() => {
  for (const line of lines) line.close();
  lines = [];
});

/** Starts lines, which a page then gets in this order. The first is the favourite, unless there is to be none. */
async function handOut(
  page: Page,
  knobs: readonly WatchedLineKnobs[],
  favourite: string | undefined = '0',
): Promise<readonly WatchedLine[]> {
  for (const [index, each] of knobs.entries()) lines.push(await startWatchedLine(`n${index}`, each));
  const json = lines.map(({ address }) => address);
  const headers = favourite === undefined ? {} : { 'Waypost-Favourite': favourite };
  await page.route('**/api/hostnames', (route) => route.fulfill({ json, headers }));
  return lines;
}

/** How the document of this page was delivered. */
function readDelivery(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    return navigation && 'deliveryType' in navigation ? navigation.deliveryType : undefined;
  });
}

test.describe('/r', () => {
  test(
    'fetches the favourite during the race, and enters it without asking again',
    IN_CHROMIUM,
    async ({ page }) => {
      const [favourite] = await handOut(page, [{ probeMs: 600 }, { probeMs: 3_000 }]);
      await page.goto('/r', { waitUntil: 'commit' });
      await expectEntered(page, 'n0.localhost');
      expect(await readDelivery(page)).toBe('navigational-prefetch');
      expect(favourite?.pages).toEqual([PREFETCH]);
    },
  );

  test('goes to the line that wins, whatever it has fetched', IN_CHROMIUM, async ({ page }) => {
    const [favourite, winner] = await handOut(page, [{ probeMs: 3_000 }, { probeMs: 600 }]);
    await page.goto('/r', { waitUntil: 'commit' });
    await expectEntered(page, 'n1.localhost');
    expect(favourite?.pages).toEqual([PREFETCH]);
    expect(winner?.pages).toEqual([{ isPrefetch: false, referrer: expect.any(String) }]);
  });

  test('never goes to a favourite that fails the identity check', IN_CHROMIUM, async ({ page }) => {
    await handOut(page, [{ marker: 'evil' }, { probeMs: 600 }]);
    await page.goto('/r', { waitUntil: 'commit' });
    await expectEntered(page, 'n1.localhost');
  });

  for (const ahead of ['refused', 'reset', 'hanging'] as const) {
    test(`enters a favourite whose answer to the fetch was: ${ahead}`, IN_CHROMIUM, async ({ page }) => {
      const [favourite] = await handOut(page, [{ probeMs: 600, ahead }, { probeMs: 30_000 }]);
      await page.goto('/r', { waitUntil: 'commit' });
      await expectEntered(page, 'n0.localhost');
      expect(favourite?.pages.map(({ isPrefetch }) => isPrefetch)).toEqual([true, false]);
    });
  }

  test.describe('where the visitor’s query is wanted', () => {
    test.use({ changes: { site: { redirect: { keepQuery: true } } } });

    test('fetches the page with that query', IN_CHROMIUM, async ({ page }) => {
      await handOut(page, [{ probeMs: 600 }, { probeMs: 3_000 }]);
      await page.goto('/r?code=7', { waitUntil: 'commit' });
      await expectEntered(page, 'n0.localhost');
      expect(new URL(page.url()).search).toBe('?code=7');
      expect(await readDelivery(page)).toBe('navigational-prefetch');
    });
  });

  test(
    'shows its message, and no link beside its own, where no line answers',
    IN_CHROMIUM,
    async ({ page, lines: backups, expectedErrors }) => {
      expectedErrors.push(FAILED_CALL);
      for (const host of BACKUPS) backups.set(host, { fault: 'refuse' });
      const [favourite] = await handOut(page, [{ marker: 'evil' }]);
      await page.goto('/r');
      await expect(page.getByRole('button')).toBeVisible();
      await expect(page.getByRole('link')).toHaveText(['', '在线客服', '返回首页', /./, /./]);
      await page.getByRole('button').click();
      await expect(page.getByRole('button')).toBeVisible();
      expect(favourite?.pages.length).toBeLessThanOrEqual(2);
    },
  );
});

test.describe('/', () => {
  /** Three rows that are slower than the first. */
  const ROWS = [{}, { probeMs: 600 }, { probeMs: 900 }, { probeMs: 1_200 }];

  test('fetches the fastest row and one under the pointer where the browser can, and asks the line that is entered for its page once', async ({
    page,
    context,
    browserName,
  }) => {
    const [fastest, ...others] = await handOut(page, ROWS);
    const [second, third] = others;
    const canFetchAhead = browserName === 'chromium';
    await page.goto('/');
    await page.locator('[data-phase="ready"]').waitFor();
    if (canFetchAhead) {
      await expect.poll(() => fastest?.pages).toEqual([PREFETCH]);
      expect(others.flatMap(({ pages }) => pages)).toEqual([]);
      await test.step('fetches another row when the pointer rests on it, and no third one', async () => {
        await rowOf(page, second).hover();
        await expect.poll(() => second?.pages).toEqual([PREFETCH]);
        await rowOf(page, third).hover();
        await rowOf(page, fastest).hover();
        await expect(page.locator('html > a')).toHaveCount(2);
        expect(third?.pages).toEqual([]);
      });
    }
    const opening = context.waitForEvent('page');
    await page.locator('[data-fastest] a[data-line]').click();
    const line = await opening;
    await expectEntered(line, 'n0.localhost');
    if (canFetchAhead) {
      expect(await readDelivery(line)).toBe('navigational-prefetch');
      expect(fastest?.pages).toEqual([PREFETCH]);
      expect(others.flatMap(({ pages }) => pages)).toEqual([PREFETCH]);
    }
    expect(fastest?.pages.map(({ isPrefetch }) => isPrefetch)).toEqual([canFetchAhead]);
  });

  for (const ahead of ['refused', 'reset', 'hanging'] as const) {
    test(`enters a row whose answer to the fetch was: ${ahead}`, IN_CHROMIUM, async ({ page, context }) => {
      const [fastest] = await handOut(page, [{ ahead }, ...ROWS.slice(1)]);
      await page.goto('/');
      await expect.poll(() => fastest?.pages).toEqual([PREFETCH]);
      const opening = context.waitForEvent('page');
      await page.locator('[data-fastest] a[data-line]').click();
      await expectEntered(await opening, 'n0.localhost');
      expect(fastest?.pages.map(({ isPrefetch }) => isPrefetch)).toEqual([true, false]);
    });
  }

  for (const [why, prepare] of [
    ['the visitor’s browser saves data', saveData],
    ['the portal’s page has no rules', undefined],
  ] as const) {
    test.describe(`where ${why}`, () => {
      test.use({ changes: prepare ? {} : { site: { lines: { prefetch: 'off' } } } });

      test('fetches nothing ahead', IN_CHROMIUM, async ({ page, context }) => {
        await prepare?.(page);
        const [fastest] = await handOut(page, ROWS);
        await page.goto('/');
        await page.locator('[data-phase="ready"]').waitFor();
        const opening = context.waitForEvent('page');
        await page.locator('[data-fastest] a[data-line]').click();
        await expectEntered(await opening, 'n0.localhost');
        await page.goto('/r', { waitUntil: 'commit' });
        await expectEntered(page);
        expect(lines.flatMap(({ pages }) => pages).filter(({ isPrefetch }) => isPrefetch)).toEqual([]);
        expect(fastest?.pages.length).toBeGreaterThan(0);
      });
    });
  }
});

function rowOf(page: Page, line: WatchedLine | undefined): Locator {
  const { port } = new URL(line?.address ?? '');
  return page.locator(`a[data-line][href$=":${port}"]`);
}

async function saveData(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
}
