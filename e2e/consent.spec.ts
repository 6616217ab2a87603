import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import type { Locator, Page } from '@playwright/test';
import { CONSENT_KEY, SESSION_KEY, VISIT_KEY } from '../src/contract/page/storage-keys.ts';
import { findViolations } from './support/find-violations.ts';
import {
  expect,
  readDataLayer,
  readEvents,
  readStorageKeys,
  test,
  waitForLines,
} from './support/observed-test.ts';

const EVERYTHING = { hasTag: true, hasIntake: true } as const;
const WATCHING_KEYS = [CONSENT_KEY, SESSION_KEY, VISIT_KEY];

const barOf = (page: Page): Locator => page.getByRole('region', { name: '隐私设置' });
const settingOf = (page: Page): Locator =>
  page.getByRole('contentinfo').getByRole('button', { name: '隐私设置' });

async function keptKeys(page: Page): Promise<readonly string[]> {
  return (await readStorageKeys(page)).filter((key) => WATCHING_KEYS.includes(key));
}

test.describe('where consent is required', () => {
  test.use({ observation: { ...EVERYTHING, consent: 'required' } });

  test('nothing is loaded, stored or sent before the visitor agrees, and then all of it', async ({
    page,
    tagHost,
    intake,
  }) => {
    await page.goto('/');
    await waitForLines(page);
    await expect(barOf(page)).toBeVisible();
    await page.getByRole('button', { name: '重新测速' }).click();
    await waitForLines(page);
    await page.waitForLoadState('networkidle');
    expect(tagHost.asked).toEqual([]);
    expect(intake.requests()).toBe(0);
    expect(await keptKeys(page)).toEqual([]);
    expect(await readDataLayer(page)).toEqual([]);

    await barOf(page).getByRole('button', { name: '同意' }).click();
    await expect(barOf(page)).toBeHidden();
    await expect.poll(() => tagHost.asked.length).toBe(1);
    await expect.poll(() => intake.records().length).toBeGreaterThan(0);
    expect(await keptKeys(page)).toEqual(WATCHING_KEYS.toSorted());
    expect(
      (await readDataLayer(page)).map(([command, what]) => `${String(command)} ${String(what)}`),
    ).toEqual([
      'consent default',
      expect.stringMatching(/^js /),
      'config G-TEST',
      'consent update',
      'event site_referrer',
      'event retest',
    ]);
    await page.reload();
    await waitForLines(page);
    expect((await readEvents(page)).map(([name]) => name)).toEqual([]);
  });

  test(
    'the bar is accessible and stands in nobody’s way, refusing is as easy as agreeing, and then nothing is pushed, loaded or sent',
    FIREFOX_IN_SOAK,
    async ({ page, tagHost, intake }) => {
      await page.setViewportSize({ width: 390, height: 780 });
      await page.goto('/');
      await waitForLines(page);
      const bar = barOf(page);
      await expect(bar).toBeVisible();
      expect(await findViolations(page, 'section[aria-label="隐私设置"]')).toEqual([]);
      const [refuse, agree] = await Promise.all(
        ['拒绝', '同意'].map((name) => bar.getByRole('button', { name }).boundingBox()),
      );
      expect(refuse).toMatchObject({ width: agree?.width, height: agree?.height, y: agree?.y });
      const looks = await bar.getByRole('button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(button);
          return { color, backgroundColor, borderColor, fontSize, fontWeight };
        }),
      );
      expect(looks[0]).toEqual(looks[1]);
      // The page scrolls past it, to its very end.
      await page.getByText('虚构品牌，仅供演示').scrollIntoViewIfNeeded();
      await page.keyboard.press('End');
      await expect(page.getByText('虚构品牌，仅供演示')).toBeInViewport();
      await page.getByRole('button', { name: '重新测速' }).click();
      await bar.getByRole('button', { name: '拒绝' }).focus();
      await page.keyboard.press('Enter');
      await expect(bar).toBeHidden();
      await page.reload();
      await waitForLines(page);
      await expect(settingOf(page)).toBeVisible();
      await expect(barOf(page)).toBeHidden();
      await page.getByRole('button', { name: '重新测速' }).click();
      await waitForLines(page);
      await page.waitForLoadState('networkidle');
      expect(await readDataLayer(page)).toEqual([]);
      expect(tagHost.asked).toEqual([]);
      expect(intake.requests()).toBe(0);
      expect(await keptKeys(page)).toEqual([CONSENT_KEY]);
    },
  );

  test(
    'the question covers no line, and the first lines are in view beside it and the announcement',
    IN_CHROMIUM,
    async ({ page }) => {
      await page.goto('/');
      await waitForLines(page);
      for (const { width, height, rows } of [
        { width: 390, height: 664, rows: 2 },
        { width: 375, height: 559, rows: 1 },
        { width: 1366, height: 768, rows: 4 },
        { width: 1440, height: 900, rows: 4 },
      ]) {
        await page.setViewportSize({ width, height });
        await expect(page.getByRole('complementary', { name: '公告' })).toBeVisible();
        const bar = await barOf(page).boundingBox();
        const boxes = await page.locator('[data-grade]').evaluateAll((found) =>
          found.map((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return { top, bottom };
          }),
        );
        expect(boxes).toHaveLength(4);
        expect(boxes.filter(({ bottom }) => bottom <= height).length).toBeGreaterThanOrEqual(rows);
        expect(Math.min(...boxes.map(({ top }) => top))).toBeGreaterThan(
          (bar?.y ?? Infinity) + (bar?.height ?? 0),
        );
      }
    },
  );

  test(
    'consent is taken back from the footer, and watching ends at once, in every tab',
    FIREFOX_IN_SOAK,
    async ({ page, context, intake }) => {
      await page.goto('/');
      await barOf(page).getByRole('button', { name: '同意' }).click();
      await waitForLines(page);
      const other = await context.newPage();
      await other.goto('/');
      await waitForLines(other);
      const countViews = () => new Set(intake.records().map(({ view }) => view)).size;
      await expect.poll(countViews).toBe(2);
      // In Firefox nothing has the focus in a window that is behind another one.
      await page.bringToFront();
      await settingOf(page).click();
      await expect(barOf(page)).toBeFocused();
      await expect(barOf(page).getByRole('button', { name: '同意' })).toHaveAttribute('aria-pressed', 'true');
      await barOf(page).getByRole('button', { name: '拒绝' }).click();
      await expect(settingOf(page)).toBeFocused();
      expect(await keptKeys(page)).toEqual([CONSENT_KEY]);
      const events = await readEvents(page);
      const requests = intake.requests();
      await page.getByRole('button', { name: '重新测速' }).click();
      await waitForLines(page);
      await other.getByRole('button', { name: '重新测速' }).click();
      await waitForLines(other);
      expect(await keptKeys(other)).toEqual([CONSENT_KEY]);
      // Leaving would flush, were there anything left to flush.
      await other.goto('about:blank');
      await page.goto('about:blank');
      await page.goto('/');
      await waitForLines(page);
      expect(await readEvents(page)).toEqual([]);
      expect(events.map(([name]) => name)).toEqual(['site_referrer']);
      expect(intake.requests()).toBe(requests);
    },
  );

  test(
    'a page that cannot load the question goes on unwatched',
    FIREFOX_IN_SOAK,
    async ({ page, tagHost, expectedErrors }) => {
      expectedErrors.push(/consent-controls/);
      const lost = page.waitForRequest(/consent-controls/);
      await page.route(/consent-controls/, (route) => route.abort());
      await page.goto('/');
      await lost;
      await waitForLines(page);
      await page.getByRole('button', { name: '重新测速' }).click();
      await waitForLines(page);
      await expect(barOf(page)).toBeHidden();
      expect(tagHost.asked).toEqual([]);
    },
  );
});

for (const consent of ['required', 'not-required'] as const) {
  test.describe(`under Global Privacy Control, where consent is ${consent}`, () => {
    test.use({ observation: { ...EVERYTHING, consent } });

    test(
      'nobody is asked, and nothing is pushed, loaded, stored or sent',
      FIREFOX_IN_SOAK,
      async ({ page, tagHost, intake }) => {
        await page.addInitScript(() => {
          Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
        });
        await page.goto('/');
        await waitForLines(page);
        await page.getByRole('button', { name: '重新测速' }).click();
        await waitForLines(page);
        await page.waitForLoadState('networkidle');
        await expect(barOf(page)).toBeHidden();
        await expect(settingOf(page)).toBeHidden();
        expect(await readDataLayer(page)).toEqual([]);
        expect(tagHost.asked).toEqual([]);
        expect(intake.requests()).toBe(0);
        expect(await keptKeys(page)).toEqual([]);
      },
    );
  });
}
