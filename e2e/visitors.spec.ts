import type { Page } from '@playwright/test';
import { CONSENT_KEY } from '../src/contract/page/storage-keys.ts';
import type { VisitorNumbers } from '../src/contract/visitors.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expectNoViolation, openView } from './support/console-test.ts';
import { holdBack } from './support/hold-back.ts';
import { expect, readStorageKeys, waitForLines } from './support/observed-test.ts';
import type { Portal } from './support/create-portal-host.ts';
import { test } from './support/test.ts';

type Counted = Readonly<Record<string, number>>;

/** All that the portal has counted today, as its console tells it. */
async function readCounts({ opsUrl }: Portal): Promise<Counted> {
  const answer = await fetch(`${opsUrl}/api/console/visitors`);
  const numbers = (await answer.json()) as VisitorNumbers;
  const { steps, pages, controls, lines, languages, devices, vitals } = numbers;
  return Object.fromEntries([
    ...Object.entries(steps).map(([step, { now }]) => [step, now]),
    ...pages.slice(1).map(({ name, now }) => [name, now]),
    ...controls.map(({ name, now }) => [name, now]),
    ...lines.map(({ name, now }) => [`line ${name.replace(/:\d+$/, '')}`, now]),
    ...[...languages, ...devices].map(({ name, views }) => [name, views.now]),
    ...Object.entries(vitals).map(([name, { now }]) => [name, now.count]),
  ]) as Counted;
}

/** Starts to look, because the tests of a file share their portals. The returned function says what was counted since. */
async function watchCounts(portal: Portal): Promise<() => Promise<Counted>> {
  const before = await readCounts(portal);
  return async () => {
    const now = await readCounts(portal);
    const added = Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
    return Object.fromEntries(added.filter(([, count]) => count > 0));
  };
}

const OPENED = { page_view: 1, links_loaded: 1, first_row: 1, 'zh-CN': 1, pc: 1 };
const retest = (page: Page) => page.getByRole('button', { name: '重新测速' }).click();
const bar = (page: Page) => page.getByRole('region', { name: '隐私设置' });

/** Leaves the page, so that it sends what it has, and asks for a new one after that. */
async function leaveAndReturn(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.goto('/');
}

// This file comes last, when the other workers have nothing left to do.
test.describe.configure({ mode: 'parallel' });

test.describe('where the portal counts', () => {
  test.use({ changes: { site: { analytics: { counts: 'self' } } } });

  test('a visit is counted as it was, each thing once', async ({ page, portal, context }) => {
    const readAdded = await watchCounts(portal);
    await page.goto('/');
    await waitForLines(page);
    await retest(page);
    await waitForLines(page);
    const opened = context.waitForEvent('page');
    const link = page.getByRole('link', { name: '官方线路2', exact: true });
    const host = new URL((await link.getAttribute('href')) ?? '').hostname.replace(/^www\d+\./, '');
    await link.click();
    await (await opened).close();
    const visit = {
      ...OPENED,
      site_referrer: 1,
      entered: 1,
      retest: 1,
      official_line: 1,
      [`line http://${host}`]: 1,
    };
    await expect.poll(readAdded).toMatchObject(visit);
    // Into the back/forward cache and out of it, as far as the page can tell.
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.getByRole('link', { name: /^如遇游戏/ }).evaluate((tip) => {
      tip.addEventListener('click', (event) => event.preventDefault());
    });
    await page.getByRole('link', { name: /^如遇游戏/ }).click();
    // Firefox may end a script while its page goes away, so the page is told first, and sends what it has.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
    await expect.poll(readAdded).toMatchObject({ tip_service: 1, TTFB: 1, FCP: 1 });
    await page.goto('about:blank');
    const { LCP = 1, INP = 1, CLS = 1, ...rest } = await readAdded();
    // Not every browser knows these.
    expect([LCP, INP, CLS]).toEqual([1, 1, 1]);
    expect(rest).toEqual({ ...visit, tip_service: 1, TTFB: 1, FCP: 1 });
  });

  test(
    'a click before the script has come is counted, and nothing is kept in the browser',
    IN_CHROMIUM,
    async ({ page, portal }) => {
      const readAdded = await watchCounts(portal);
      const release = await holdBack(page, '**/counts-*.js');
      const loading = page.waitForRequest(/\/counts-/);
      await page.goto('/');
      await waitForLines(page);
      await loading;
      await retest(page);
      release();
      await expect.poll(readAdded).toMatchObject({ ...OPENED, retest: 1 });
      const keys = await readStorageKeys(page);
      await page.goto('about:blank');
      expect(keys.filter((key) => /count|event/.test(key))).toEqual([]);
    },
  );

  test('what is clicked last is counted, although its page goes away at once', async ({ page, portal }) => {
    const readAdded = await watchCounts(portal);
    await page.goto('/');
    // As early as a visitor can: long before the page is idle.
    const button = page.getByRole('button', { name: '重新测速' });
    await expect(button).not.toHaveAttribute('aria-disabled', 'true');
    await button.dispatchEvent('click');
    const download = page.locator('[data-silent="download"]').first();
    await download.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()));
    await waitForLines(page);
    await download.dispatchEvent('click');
    await page.goto('about:blank');
    await expect.poll(readAdded).toMatchObject({ page_view: 1, download: 1, retest: 1 });
  });

  test('views of /r and /t are counted, once each, when they are left', async ({
    page,
    portal,
    expectedErrors,
  }) => {
    expectedErrors.push(/nobody\.json/);
    const readAdded = await watchCounts(portal);
    await page.goto('/r').catch(() => undefined);
    await page.waitForURL((url) => url.pathname !== '/r');
    await expect.poll(readAdded).toEqual({ '/r': 1 });
    await page.goto(`${portal.url}/t/nobody`);
    await page.goto('about:blank');
    await expect.poll(readAdded).toEqual({ '/r': 1, '/t': 1 });
  });

  test('Global Privacy Control is a refusal', IN_CHROMIUM, async ({ page, portal }) => {
    const readAdded = await watchCounts(portal);
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
    });
    await page.goto('/');
    await waitForLines(page);
    await retest(page);
    await leaveAndReturn(page);
    expect(await readAdded()).toEqual({});
  });
});

test(
  'where the portal counts nothing, pages hold, load and send nothing for it',
  IN_CHROMIUM,
  async ({ page, portal }) => {
    const OF_COUNTS = /\/counts-|api\/events|openCounts/;
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto('/');
    await waitForLines(page);
    await retest(page);
    await page.goto('about:blank');
    const scripts = loaded.filter((url) => url.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(1);
    expect(loaded.filter((url) => OF_COUNTS.test(url))).toEqual([]);
    for (const url of [...scripts, `${portal.url}/`, `${portal.url}/r`, `${portal.url}/t/x`]) {
      expect(await (await fetch(url)).text(), url).not.toMatch(OF_COUNTS);
    }
  },
);

test.describe('the console’s view of visitors', () => {
  test.use({ locale: 'en-GB' });

  test('says how to turn counting on', IN_CHROMIUM, async ({ page, portal }) => {
    await openView(page, portal.opsUrl, '#/visitors');
    await expect(page.getByText('"analytics": { "counts": "self" }')).toBeVisible();
    await expectNoViolation(page, 'visitors, off', { light: 390, dark: 1440 });
  });

  test.describe('of a portal of its own that counts', () => {
    test.use({ hasOwnPortal: true, changes: { site: { analytics: { counts: 'self' } } } });

    test(
      'shows the way to a line, lists and vitals, and gives them as CSV',
      IN_CHROMIUM,
      async ({ page, portal }) => {
        const steps = ['page_view', 'links_loaded', 'first_row', 'entered'];
        for (const [index] of steps.entries()) {
          const batch = {
            device: 'mobile',
            language: 'en',
            referrer: 'search.example',
            steps: steps.slice(0, index + 1),
            events: { retest: 3, download: 2 },
            lines: {},
            vitals: { LCP: 1_200, CLS: 0.3 },
          };
          await fetch(`${portal.url}/api/events`, { method: 'POST', body: JSON.stringify(batch) });
        }
        await fetch(`${portal.url}/api/events`, { method: 'POST', body: '{"page":"/r"}' });
        await openView(page, portal.opsUrl, '#/visitors');
        const rowOf = (table: string, name: string) =>
          page.getByRole('table', { name: table }).getByRole('row', { name: new RegExp(`^${name}`) });
        await expect(page.getByRole('region', { name: 'Entered, of page views' })).toContainText('25.0%');
        await expect(page.getByText('+4: there were none before').first()).toBeVisible();
        const way = page.getByRole('region', { name: 'The way to a line' });
        await way.getByText('As a table').click();
        await expect(rowOf('The way to a line', 'Entered a line')).toContainText('25.0%');
        await expect(rowOf('Controls', 'Retest speed')).toContainText('12');
        await expect(rowOf('Controls', 'Download now')).toContainText('8');
        await expect(rowOf('Controls', 'Download now')).toContainText('English 100');
        await expect(rowOf('Page views by page', '/r')).toContainText('1');
        await expect(rowOf('Where visitors came from', 'search.example')).toContainText('4');
        await expect(rowOf('Devices', 'Phone')).toContainText('25.0%');
        await expect(rowOf('Web vitals', 'Largest content')).toContainText('Good');
        await expect(rowOf('Web vitals', 'Layout shift')).toContainText('Poor');
        await expect(page.getByText(/^Not used: .*Copy/)).toBeVisible();
        await page.getByRole('region', { name: 'By hour' }).getByText('As a table').click();
        await expectNoViolation(page, 'visitors');
        await page.getByRole('button', { name: '7 days' }).focus();
        await page.keyboard.press('Enter');
        await expect(page.getByText('Compared with the 7 days before')).toBeVisible();
        const downloading = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Download as CSV' }).click();
        expect((await downloading).suggestedFilename()).toBe('visitors-7d.csv');
        await page.getByRole('button', { name: 'Settings of the console' }).click();
        await page.getByRole('button', { name: '中文' }).click();
        await expect(rowOf('进入线路的过程', '进入线路')).toContainText('25.0%');
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await page.locator('[aria-hidden] > span').evaluateAll(listOutsideParent)).toEqual([]);
      },
    );
  });
});

test.describe('where the portal counts and consent is required', () => {
  test.use({ changes: { site: { analytics: { counts: 'self' }, consent: 'required' } } });

  test(
    'nothing is loaded or sent before the visitor agrees, nor after they take it back',
    FIREFOX_IN_SOAK,
    async ({ page, portal }) => {
      const readAdded = await watchCounts(portal);
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
      await page.goto('/');
      await waitForLines(page);
      await retest(page);
      await leaveAndReturn(page);
      await waitForLines(page);
      expect(loaded.filter((path) => /\/counts-|api\/events/.test(path))).toEqual([]);
      expect(await readAdded()).toEqual({});

      await retest(page);
      await bar(page).getByRole('button', { name: '同意' }).click();
      const agreed = { ...OPENED, retest: 1, site_referrer: 1 };
      await expect.poll(readAdded).toEqual(agreed);

      await page.getByRole('contentinfo').getByRole('button', { name: '隐私设置' }).click();
      await bar(page).getByRole('button', { name: '拒绝' }).click();
      await retest(page);
      await leaveAndReturn(page);
      expect(await readAdded()).toEqual(agreed);
    },
  );
});

test.describe('where the portal counts without consent', () => {
  test.use({
    changes: {
      site: { analytics: { counts: 'self', countsWithoutConsent: true }, consent: 'required' },
    },
  });

  test(
    'a visitor who has not answered is counted, and one who refuses is not',
    IN_CHROMIUM,
    async ({ page, portal }) => {
      const readAdded = await watchCounts(portal);
      await page.goto('/');
      await waitForLines(page);
      await retest(page);
      await expect.poll(readAdded).toEqual({ ...OPENED, retest: 1 });
      expect(await readStorageKeys(page)).not.toContain(CONSENT_KEY);
      await bar(page).getByRole('button', { name: '拒绝' }).click();
      await retest(page);
      await leaveAndReturn(page);
      await retest(page);
      await leaveAndReturn(page);
      expect(await readAdded()).toEqual({ ...OPENED, retest: 1 });
    },
  );
});

/** The texts of what is shown and ends after its parent does. */
function listOutsideParent(elements: readonly Element[]): readonly string[] {
  const endOf = (node: Node): number => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect().right;
  };
  return elements
    .filter((element) => getComputedStyle(element).visibility === 'visible')
    .filter((element) => endOf(element) > (element.parentElement?.getBoundingClientRect().right ?? 0))
    .map(({ textContent }) => textContent);
}
