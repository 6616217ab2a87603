import type { Page } from '@playwright/test';
import type { CampaignNumbers } from '../src/contract/campaigns.ts';
import { IPHONE, MAC, SAMPLE_CAMPAIGNS } from '../src/server/testing/sample-campaigns.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expectNoViolation, openView } from './support/console-test.ts';
import { expectEntered } from './support/expect-entered.ts';
import { expect, IN_RESTRICTED_REGION, test } from './support/test.ts';
import { watchRequests } from './support/watch-requests.ts';

/** Some rules ask for a country. */
const SITE = { campaigns: SAMPLE_CAMPAIGNS, network: IN_RESTRICTED_REGION.changes.site.network };

test.use({ changes: { site: SITE, links: { telegram: 'http://channel.localhost/t' } } });

// The line hosts of the tests have one page only.
test.beforeEach(({ expectedErrors }) => void expectedErrors.push(/404.*\/promo\//));

/** Follows a link, and leaves it to the page to go on. */
function follow(page: Page, path: string): Promise<unknown> {
  return page.goto(path, { waitUntil: 'commit' });
}

test('a link ends at the fastest line that has proved itself, at its path, after the calls of /r', async ({
  page,
  lines,
}) => {
  lines.set('line1.localhost', { fault: 'wrong-marker' });
  lines.set('line2.localhost', { fault: 'hang' });
  lines.set('line3.localhost', { delayMs: 300 });
  lines.set('line4.localhost', { fault: 'wrong-marker' });
  const requests = watchRequests(page);
  await follow(page, '/c/spring?utm_source=evil');
  await expectEntered(page, 'line3.localhost');
  expect(requests.slice(0, 4)).toEqual(['/c/spring', '/api/get_ip', '/json/link.json', '/api/hostnames']);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
    '/promo/spring?utm_source=channel&code=ours',
  );
});

test.describe('a site that keeps queries', () => {
  test.use({
    changes: { site: { ...SITE, redirect: { keepQuery: true } } },
  });

  test(
    'keeps what the visitor came with, but for the parameters of the link',
    FIREFOX_IN_SOAK,
    async ({ page }) => {
      await follow(page, '/c/spring?code=theirs&friend=7#top');
      await expectEntered(page);
      expect(page.url()).toMatch(/\/promo\/spring\?code=ours&friend=7&utm_source=channel#top$/);
    },
  );
});

test('a link opens the landing page in place, and a target on the hosts of /t', async ({ page }) => {
  const requests = watchRequests(page);
  await page.goto('/c/home');
  await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
  expect(requests.filter((path) => path === '/')).toEqual([]);
  await expect(page.locator('#campaign-note')).toHaveCount(0);
  await page.goto('/c/app');
  await page.getByRole('button').click();
  await expectEntered(page);
});

test(
  'a link to a channel goes there at once, by rule or by itself',
  FIREFOX_IN_SOAK,
  async ({ page, browser, baseURL }) => {
    await page.route('http://channel.localhost/**', (route) => route.fulfill({ body: 'the channel' }));
    const requests = watchRequests(page);
    await follow(page, '/c/channel');
    await page.waitForURL('http://channel.localhost/t');
    expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
    const phone = await browser.newContext({ userAgent: IPHONE, ...(baseURL ? { baseURL } : {}) });
    const onPhone = await phone.newPage();
    await onPhone.route('https://download.example.com/**', (route) => route.fulfill({ body: 'the app' }));
    await follow(onPhone, '/c/spring');
    await onPhone.waitForURL('https://download.example.com/**');
    await phone.close();
    for (const [touches, end] of [
      [5, /download\.example\.com/],
      [0, /\/promo\/spring/],
    ] as const) {
      const tablet = await browser.newContext({ userAgent: MAC, ...(baseURL ? { baseURL } : {}) });
      await tablet.addInitScript(
        (points) => Object.defineProperty(navigator, 'maxTouchPoints', { value: points }),
        touches,
      );
      const onTablet = await tablet.newPage();
      await onTablet.route('https://download.example.com/**', (route) => route.fulfill({ body: 'the app' }));
      await follow(onTablet, '/c/spring');
      await onTablet.waitForURL(end);
      await tablet.close();
    }
  },
);

test('a link that does not work shows the landing page, and says why', async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 4(?:04|10).*\/c\//);
  for (const [path, status, text] of [
    ['/c/never', 404, '没有找到这个链接'],
    ['/c/over', 410, '活动已结束'],
    ['/c/soon', 200, '活动尚未开始'],
  ] as const) {
    const answer = await page.goto(path);
    expect([path, answer?.status()]).toEqual([path, status]);
    const note = page.locator('#campaign-note');
    await expect(note).toContainText(text);
    const [header, box] = await Promise.all([page.getByRole('banner').boundingBox(), note.boundingBox()]);
    expect(box?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? Infinity));
    await expect(page.locator('[data-row]')).toHaveCount(4);
    await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test(
    'a link shows the fallback hosts with its path, or the one address it leads to',
    IN_CHROMIUM,
    async ({ page }) => {
      await page.goto('/c/spring');
      const links = page.getByRole('listitem').getByRole('link');
      await expect(links).toHaveCount(4);
      await expect(links.first()).toHaveAttribute('href', /\/promo\/spring\?utm_source=channel&code=ours$/);
      await page.goto('/c/channel');
      await expect(links).toHaveAttribute('href', 'http://channel.localhost/t');
    },
  );
});

test.describe('where the site is closed', () => {
  const { site } = IN_RESTRICTED_REGION.changes;
  test.use({ ...IN_RESTRICTED_REGION, changes: { site: { ...site, campaigns: SAMPLE_CAMPAIGNS } } });

  test('a link shows the notice and goes nowhere', IN_CHROMIUM, async ({ page }) => {
    const requests = watchRequests(page);
    await page.goto('/c/spring');
    await expect(page.getByRole('heading')).toHaveText('此地区无法使用');
    expect(requests.filter((path) => path.includes('speed.php'))).toEqual([]);
  });
});

test(
  'programs that show links get the title, the text and the picture, by language',
  IN_CHROMIUM,
  async ({ request }) => {
    const read = async (language: string) =>
      (await request.get('/c/spring', { headers: { 'Accept-Language': language } })).text();
    const english = await read('en');
    expect(english).toContain('<meta property="og:title" content="Spring cup">');
    expect(english).toContain('<meta property="og:description" content="Play &lt;b&gt;&amp;&lt;/b&gt; win">');
    expect(english).toMatch(
      /<meta property="og:image" content="[^"]*\/site\/images\/share\.[\w-]{10}\.jpg">/,
    );
    expect(english).toContain('<meta name="robots" content="noindex">');
    expect(await read('zh-CN')).toContain('<meta property="og:title" content="春季杯">');
  },
);

test.describe('where the portal counts', () => {
  test.use({
    locale: 'en-GB',
    hasOwnPortal: true,
    changes: {
      site: { ...SITE, analytics: { counts: 'self' }, publicUrl: 'https://go.example' },
    },
  });

  test(
    'the console shows what brought visitors, how far they came, and a code that a decoder has read',
    IN_CHROMIUM,
    async ({ page, portal, expectedErrors }) => {
      expectedErrors.push(/status of 410.*\/c\//);
      const read = async () => {
        const answer = await fetch(`${portal.opsUrl}/api/console/campaigns?range=today`);
        const { campaigns, utm } = (await answer.json()) as CampaignNumbers;
        const now = campaigns.map(({ code, steps }) => [
          code,
          Object.values(steps).map(({ now: count }) => count),
        ]);
        return {
          ...Object.fromEntries(now),
          utm: utm.utm_source.map(({ name, now: count }) => [name, count]),
        };
      };
      await follow(page, '/c/spring?utm_source=poster');
      await expectEntered(page);
      await page.goto('/c/home');
      await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
      await page.goto('/c/over');
      await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
      await page.goto('/?utm_source=friend');
      await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
      await page.goto('about:blank');
      await expect.poll(read).toMatchObject({
        spring: [1, 1, 1],
        home: [1, 1, 0],
        over: [1, 1, 0],
        soon: [0, 0, 0],
        utm: expect.arrayContaining([
          ['poster', 1],
          ['friend', 1],
        ]),
      });

      await openView(page, portal.opsUrl, '#/campaigns');
      const row = page.getByRole('table', { name: 'Campaigns' }).getByRole('row', { name: /^Spring cup/ });
      await expect(row).toContainText('100%');
      await expect(page.getByText('“Over” does not work any more, and was opened 1 times.')).toBeVisible();
      await expect(page.getByRole('table', { name: 'By utm_source' })).toContainText('poster');
      await expectNoViolation(page, 'campaigns');
      await row.getByRole('link').click();
      await expect(page.getByText('https://go.example/c/spring')).toBeVisible();
      await expect(page.getByRole('table', { name: 'Devices' })).toContainText('Desktop');
      for (const level of ['low', 'medium', 'quartile', 'high']) {
        await page.getByRole('combobox', { name: 'What may be covered' }).selectOption(level);
        await expect(
          page.getByRole('img', { name: 'The QR code of https://go.example/c/spring' }),
        ).toBeVisible();
      }
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'PNG' }).click();
      expect((await downloading).suggestedFilename()).toBe('spring.png');
      await expectNoViolation(page, 'a campaign');
    },
  );
});
