import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { findMisfits } from './support/find-misfits.ts';
import { expect, test } from './support/test.ts';

const PHONE = { width: 390, height: 780 };
const DESKTOP = { width: 1280, height: 900 };
const LINKS = JSON.parse(await readFile('site/json/link.json', 'utf8')) as Readonly<Record<string, string>>;

const ready = (page: Page): Promise<void> => page.locator('[data-phase="ready"]').waitFor();

test.describe('on a phone', () => {
  test.use({ viewport: PHONE });

  test('four links open the downloads, and neither a banner of the desktop nor a QR code is loaded', async ({
    page,
  }) => {
    const asked = watchPaths(page);
    await page.goto('/');
    await ready(page);
    await test.step('each link opens a tab of its own, and names its platforms', async () => {
      for (const [name, note, link] of [
        ['北辰浏览器', 'iOS · Android · 电脑', 'ub'],
        ['钱包教程', '', 'wallet'],
        ['极光安卓浏览器', '仅限 Android', 'esb'],
        ['官方频道', '', 'telegram'],
      ] as const) {
        const button = page.getByRole('main').getByRole('link', { name }).filter({ hasText: note }).first();
        await expect(button).toBeVisible();
        await expect(button).toHaveAttribute('href', LINKS[link] ?? '');
        await expect(button).toHaveAttribute('target', '_blank');
      }
      await expect(page.getByRole('tablist')).toBeHidden();
    });
    expect(asked.filter((path) => path.includes('banner'))).toEqual([
      expect.stringMatching(/banner-mobile.*avif$/),
    ]);
    // Such as draw-qr-1a2b3c4d.js and wallet-qr.svg. The hash of any file may have these two letters.
    expect(asked.filter((path) => /-qr[-.]/.test(path))).toEqual([]);
  });
});

test.describe('on a desktop', () => {
  test.use({ viewport: DESKTOP });

  test('the tabs move with the keys, their codes are scanned as their links, and the mailbox is copied', async ({
    page,
    browserName,
    expectedErrors,
  }) => {
    // Playwright takes a picture in Firefox with a style of its own, which the page's policy forbids.
    if (browserName === 'firefox') expectedErrors.push(/blocked an inline style/);
    const asked = watchPaths(page);
    await page.goto('/');
    await ready(page);
    const tab = (name: string) => page.getByRole('tab', { name });
    await test.step('only the banner of the desktop is loaded', () => {
      expect(asked.filter((path) => path.includes('banner'))).toEqual([
        expect.stringMatching(/banner-desktop.*avif$/),
      ]);
    });
    await test.step('the first stop of the Tab key leads to the lines', async () => {
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: '官方线路', exact: true })).toBeInViewport();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: '官方线路' })).toBeFocused();
    });
    await test.step('only the selected tab is in the order of the Tab key', async () => {
      await tab('北辰浏览器').focus();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: '立即下载' })).toBeFocused();
    });
    await test.step('the first tab is selected, and the arrow keys, Home and End move the selection', async () => {
      await expect(tab('北辰浏览器')).toHaveAttribute('aria-selected', 'true');
      await tab('北辰浏览器').focus();
      for (const [key, name] of [
        ['ArrowDown', '钱包教程'],
        ['ArrowRight', '极光安卓浏览器'],
        ['End', '官方频道'],
        ['ArrowDown', '北辰浏览器'],
        ['ArrowUp', '官方频道'],
        ['ArrowLeft', '极光安卓浏览器'],
        ['Home', '北辰浏览器'],
      ] as const) {
        await page.keyboard.press(key);
        await expect(tab(name)).toBeFocused();
        await expect(tab(name)).toHaveAttribute('aria-selected', 'true');
        await expect(page.getByRole('tabpanel', { name })).toBeVisible();
        await expect(page.getByRole('tabpanel')).toHaveCount(1);
      }
    });
    for (const [name, link, button] of [
      ['北辰浏览器', 'ub', '立即下载'],
      ['钱包教程', 'wallet', '查看教程'],
      ['极光安卓浏览器', 'esb', '立即下载'],
      ['官方频道', 'telegram', '加入频道'],
    ] as const) {
      await test.step(`the code of "${name}" is scanned as its link, which stands beside it`, async () => {
        await tab(name).click();
        await expect(
          page.getByRole('tabpanel', { name }).getByRole('link', { name: LINKS[link] ?? '' }),
        ).toBeVisible();
        await expect(
          page.getByRole('tabpanel', { name }).getByRole('link', { name: button }),
        ).toHaveAttribute('href', LINKS[link] ?? '');
        await expectCode(page, name, LINKS[link]);
      });
    }
    await test.step('in high contrast too, where the button has a border', async () => {
      await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
      await tab('北辰浏览器').click();
      // A picture of a dark code on a dark ground can be scanned all the same, and a screen cannot.
      const ground = page.getByRole('img', { name: '北辰浏览器二维码' }).locator('..');
      await expect(ground).toHaveCSS('background-color', 'rgb(255, 255, 255)');
      await expect(page.getByRole('link', { name: '立即下载' })).toHaveCSS('border-top-width', '1px');
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
      await tab('官方频道').click();
    });
    await test.step('the channel shows the mailbox as text, and copies it', async () => {
      await expect(page.getByText('service@example.com', { exact: true })).toBeVisible();
      await expectCopied(page, '复制邮箱', 'service@example.com');
    });
  });

  test.describe('of a site without an icon and without codes of its own', () => {
    test.use({
      changes: { site: { images: { walletQr: undefined, telegramQr: undefined, favicon: undefined } } },
    });

    test(
      'every code is drawn from its link, and no icon is asked for',
      FIREFOX_IN_SOAK,
      async ({ page, browserName, expectedErrors }) => {
        if (browserName === 'firefox') expectedErrors.push(/blocked an inline style/);
        const failed: string[] = [];
        page.on('response', (response) => {
          if (!response.ok()) failed.push(response.url());
        });
        await page.goto('/');
        await ready(page);
        for (const [name, link] of [
          ['钱包教程', 'wallet'],
          ['官方频道', 'telegram'],
        ] as const) {
          await page.getByRole('tab', { name }).click();
          await expectCode(page, name, LINKS[link]);
        }
        await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', 'data:,');
        expect(failed).toEqual([]);
      },
    );
  });
});

test(
  'the head, the header, the hints, the rows and the footer have what the site folder says',
  FIREFOX_IN_SOAK,
  async ({ page, request }) => {
    await page.goto('/');
    await ready(page);
    await test.step('title, description, icon and share image come from the site folder', async () => {
      await expect(page).toHaveTitle('北辰体育（虚构示范） · 官方线路');
      const content = (selector: string) => page.locator(selector).getAttribute('content');
      expect(await content('meta[name="description"]')).toContain('北辰体育');
      for (const address of [
        (await content('meta[property="og:image"]')) ?? '',
        (await page.locator('link[rel="icon"]').getAttribute('href')) ?? '',
      ]) {
        expect((await request.get(address)).headers()['content-type']).toMatch(/^image\//);
      }
    });
    await test.step('the header and the hints lead to customer service and to the main browser', async () => {
      const service = page.getByRole('banner').getByRole('link', { name: '在线客服' });
      await expect(service).toHaveAttribute('href', LINKS['service'] ?? '');
      await expect(service).toHaveAttribute('target', '_blank');
      await expect(
        page.getByRole('link', { name: '推荐下载北辰浏览器，100%极速访问，安全畅玩' }),
      ).toHaveAttribute('href', LINKS['ub'] ?? '');
      await expect(page.getByRole('link', { name: '如遇游戏无法进行，请联系在线客服' })).toHaveAttribute(
        'href',
        LINKS['service'] ?? '',
      );
    });
    await test.step('every row has a button that copies its address', async () => {
      const address = await page.getByRole('link', { name: '官方线路2', exact: true }).getAttribute('href');
      await expectCopied(page, '复制官方线路2的地址', address);
    });
    await test.step('the footer names the operator, the licence, the age and the way to responsible play', async () => {
      const footer = page.getByRole('contentinfo');
      await expect(footer).toContainText('北辰体育示范有限公司（虚构）');
      await expect(footer).toContainText('18+');
      await expect(footer).toContainText('© 2026 北辰体育');
      await expect(footer.getByRole('link', { name: /演示用牌照声明/ })).toHaveAttribute(
        'href',
        /licence\.example/,
      );
      await expect(footer.getByRole('link', { name: '理性娱乐' })).toHaveAttribute(
        'href',
        /responsible-play/,
      );
    });
  },
);

test('the language switch changes the language, and is remembered', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('link', { name: 'Official line 1', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retest speed' })).toBeVisible();
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('button', { name: 'Retest speed' })).toBeVisible();
  await page.getByRole('link', { name: '繁體中文' }).click();
  await expect(page.getByRole('link', { name: '官方線路1', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: '重新測速' })).toBeVisible();
});

test.describe('a site folder in a language that we have no texts for', () => {
  test.use({
    changes: {
      site: {
        locales: ['zh-CN', 'en', 'ar'],
        brand: { name: { default: 'Polaris', ar: 'القطب' } },
        announcement: { default: { text: 'Nothing here is real.' } },
        texts: { ar: { retest: 'أعد القياس', home: 'الصفحة الرئيسية', service: 'خدمة العملاء' } },
        images: { logo: { default: 'images/logo.svg', ar: 'images/promo.svg' } },
      },
      links: { service: { default: 'https://service.example/', ar: 'https://ar.service.example/' } },
    },
  });

  test('is shown in it, from right to left, with its own names, images and links', async ({
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(/nowhere/);
    const asked: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/json/link.json'))
        asked.push(response.headers()['content-language'] ?? '');
    });
    await page.goto('/?lang=ar');
    await ready(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.getByRole('banner').getByRole('img', { name: 'القطب' })).toHaveAttribute(
      'src',
      /promo/,
    );
    await expect(page.getByRole('banner').getByRole('link', { name: 'خدمة العملاء' })).toHaveAttribute(
      'href',
      'https://ar.service.example/',
    );
    await expect(page.getByRole('button', { name: 'أعد القياس' })).toBeVisible();
    await test.step('what it lacks is in the default language', async () => {
      await expect(page.getByRole('link', { name: '官方线路1', exact: true })).toBeVisible();
    });
    await test.step('with its full stop at its own end', async () => {
      for (const text of ['打开即达。手机扫码，或在电脑上直接下载。', 'Nothing here is real.']) {
        expect(await endsOnTheRight(page.getByText(text)), text).toBe(true);
      }
    });
    await test.step('the links were asked for once, in the language of the page', () => {
      expect(asked).toEqual(['ar']);
    });
    await test.step('every other page is in it, too', async () => {
      await page.goto('/t/localhost');
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      await page.goto('/nowhere');
      await expect(page.getByRole('link', { name: 'الصفحة الرئيسية' })).toBeVisible();
    });
  });
});

/** Whether the last character of a text stands to the right of the one before it. */
function endsOnTheRight(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    const node = element.firstChild as Text;
    const end = node.data.replace(/\u2069$/, '').length;
    const [before, last] = [end - 2, end - 1].map((index) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      return range.getBoundingClientRect().left;
    });
    return Number(last) > Number(before);
  });
}

test.describe('a site folder with texts, colours and an address of its own, and without one link', () => {
  test.use({
    changes: {
      site: {
        texts: { 'zh-CN': { retest: '再测一次', officialLine: '入口{n}', heroTitle: '' } },
        theme: { accent: '#2244ff' },
        publicUrl: 'https://go.demo.example',
      },
      links: { ub: 'javascript:alert(1)' },
    },
  });

  test('is shown as it is', FIREFOX_IN_SOAK, async ({ page }) => {
    await page.goto('/');
    await ready(page);
    await test.step('its texts take the place of our own, as its colours do', async () => {
      await expect(page.getByRole('button', { name: '再测一次' })).toBeVisible();
      await expect(page.getByRole('link', { name: '入口4', exact: true })).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('北辰体育（虚构示范）');
      const accent = await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--accent'),
      );
      expect(accent).toBe('#2244ff');
    });
    await test.step('a link that is missing disables its own controls, and no other', async () => {
      await expect(page.getByRole('link', { name: '推荐下载北辰浏览器' })).toBeDisabled();
      await expect(page.getByRole('link', { name: '如遇游戏无法进行' })).toBeEnabled();
    });
    await test.step('the share image is named in full', async () => {
      await expect(page.locator('meta[property="og:image"]')).toHaveAttribute(
        'content',
        /^https:\/\/go\.demo\.example\/site\/images\/share\./,
      );
    });
  });
});

test('an address that leads nowhere has a way back', FIREFOX_IN_SOAK, async ({ page, expectedErrors }) => {
  expectedErrors.push(/404/);
  await page.goto('/nowhere');
  await expect(page.getByRole('img', { name: '北辰体育' })).toBeVisible();
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText('未满18岁');
  for (const size of [
    { width: 768, height: 1024 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    const box = await footer.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0), 'nothing is below the footer').toBeCloseTo(size.height, 0);
  }
  await page.getByRole('link', { name: '返回首页' }).click();
  await expect(page.locator('[data-row]')).toHaveCount(4);
});

test.describe('the code of a long link', FIREFOX_IN_SOAK, () => {
  const ub = `https://download.example/${'p'.repeat(147)}`;
  const esb = `https://download.example/${'p'.repeat(1_146)}`;
  test.use({ changes: { links: { ...LINKS, ub, esb } } });

  test('is scanned from the page at every width of a desktop, and has 3 px a module', async ({
    page,
    browserName,
    expectedErrors,
  }) => {
    expect([ub.length, esb.length]).toEqual([172, 1_171]);
    // Playwright takes a picture in Firefox with a style of its own, which the page's policy forbids.
    if (browserName === 'firefox') expectedErrors.push(/blocked an inline style/);
    for (const width of [768, 1_023, 1_024, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/');
      for (const [tab, link] of [
        ['北辰浏览器', ub],
        ['极光安卓浏览器', esb],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click();
        await expectCode(page, tab, link);
        const code = page.getByRole('img', { name: `${tab}二维码` });
        const modules = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
        expect((await code.boundingBox())?.width).toBeGreaterThanOrEqual(3 * modules);
        expect(await findMisfits(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    }
  });
});

test.describe('a link that is too long for a code', FIREFOX_IN_SOAK, () => {
  test.use({ changes: { links: { ...LINKS, esb: `https://download.example/${'p'.repeat(1_147)}` } } });

  test('is shown with a text that says so', async ({ page }) => {
    await page.setViewportSize({ width: 768, height: 900 });
    await page.goto('/');
    await page.getByRole('tab', { name: '极光安卓浏览器' }).click();
    const panel = page.getByRole('tabpanel', { name: '极光安卓浏览器' });
    await expect(panel).toContainText('链接太长，无法生成二维码，请直接打开链接');
    await expect(panel.getByRole('img')).toHaveCount(0);
    expect(await findMisfits(page)).toEqual([]);
  });
});

/** The paths that a page asks for, of any host. */
function watchPaths(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return asked;
}

/** Scans the code in the panel of this tab, which is selected. */
async function expectCode(page: Page, name: string, link: string | undefined): Promise<void> {
  const panel = page.getByRole('tabpanel', { name });
  await expect(panel.getByRole('img', { name: `${name}二维码` })).toBeVisible();
  expect(await scan(await panel.screenshot())).toBe(link);
}

/** Clicks the button, which copies the text. */
async function expectCopied(page: Page, button: string, text: string | null): Promise<void> {
  const isChromium = page.context().browser()?.browserType().name() === 'chromium';
  if (isChromium) await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: button }).click();
  await expect(page.getByText('已复制')).toBeVisible();
  if (!isChromium) return; // Firefox lets no page read the clipboard.
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
}

/** Reads the QR code in a picture. */
async function scan(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQr({ data: new Uint8ClampedArray(data), width: info.width, height: info.height });
}
