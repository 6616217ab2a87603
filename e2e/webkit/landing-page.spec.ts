import { readFile } from 'node:fs/promises';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { SIX_LANGUAGES } from '../support/six-languages.ts';
import { IN_RESTRICTED_REGION } from '../support/test.ts';
import type { WebKitPage } from './support/create-page.ts';
import {
  DESKTOP,
  MEASURED,
  PHONE,
  expect,
  speedsOf,
  takeShot,
  test,
  waitUntilReady,
} from './support/webkit-test.ts';

const LINKS = JSON.parse(await readFile('site/json/link.json', 'utf8')) as Readonly<Record<string, string>>;
const ALL_MEASURED = [MEASURED, MEASURED, MEASURED, MEASURED];

test.describe('the page, on a desktop', () => {
  test.use({ viewport: DESKTOP });

  test('has tabs that move with the keys, codes that are scanned as their links and buttons that copy, comes back as it was, and fails its test if it complains in any way', async ({
    webkit,
    front,
    pages,
    expectedErrors,
  }) => {
    await webkit.goto('/');
    await waitUntilReady(webkit);
    await takeShot(webkit, 'measured-1440');
    await test.step('only the banner of the desktop is loaded', () => {
      const banners = front.requests.filter((path) => path.includes('banner'));
      expect(banners).toEqual([expect.stringMatching(/banner-desktop.*avif$/)]);
    });
    await test.step('the arrow keys, Home and End move the selection', async () => {
      await webkit.evaluate(() => document.querySelector<HTMLElement>('#tab-ub')?.focus());
      for (const [key, tab] of [
        ['ArrowDown', 'wallet'],
        ['ArrowRight', 'esb'],
        ['End', 'tg'],
        ['ArrowDown', 'ub'],
        ['ArrowUp', 'tg'],
        ['ArrowLeft', 'esb'],
        ['Home', 'ub'],
      ] as const) {
        await webkit.press(key);
        await expect.poll(() => selectedTab(webkit)).toBe(`tab-${tab}`);
        expect(await webkit.attributes('[role="tabpanel"]', 'aria-labelledby')).toEqual([`tab-${tab}`]);
      }
    });
    for (const [tab, name, link] of [
      ['tab-ub', '北辰浏览器 iOS · Android · 电脑', 'ub'],
      ['tab-wallet', '钱包教程 图文步骤，轻松上手', 'wallet'],
      ['tab-esb', '极光安卓浏览器 仅限 Android', 'esb'],
      ['tab-tg', '官方频道 最新地址与公告', 'telegram'],
    ] as const) {
      await test.step(`the code of "${name}" is scanned as its link`, async () => {
        await webkit.click('tab', name);
        expect(await selectedTab(webkit)).toBe(tab);
        await expect.poll(() => scan(webkit)).toBe(LINKS[link]);
      });
    }
    await takeShot(webkit, 'tab-tg-1440');
    await test.step('the code of a link of 172 letters is scanned, too', async () => {
      const ub = `https://download.example/${'p'.repeat(147)}`;
      const repair = front.route(/^\/json\/link\.json/, { json: { ...LINKS, ub } });
      await webkit.goto('/');
      await waitUntilReady(webkit);
      await expect.poll(() => scan(webkit)).toBe(ub);
      repair();
      await webkit.goto('/');
      await waitUntilReady(webkit);
      await webkit.click('tab', '官方频道 最新地址与公告');
    });
    await test.step('the mailbox and an address are copied', async () => {
      await webkit.click('button', '复制邮箱');
      await expect.poll(() => readClipboard(webkit)).toBe('service@example.com');
      const [address] = await webkit.attributes('[data-row="2"] a', 'href');
      await webkit.click('button', '复制官方线路2的地址');
      await expect.poll(() => readClipboard(webkit)).toBe(address);
    });
    await test.step('it comes back as it was, out of the back/forward cache', async () => {
      const shown = await speedsOf(webkit);
      await webkit.evaluate(() => {
        window.addEventListener(
          'pageshow',
          ({ persisted }) => (document.body.dataset['persisted'] = `${persisted}`),
        );
      });
      await webkit.goto('/t/localhost');
      await webkit.goBack();
      expect(await webkit.attributes('body', 'data-persisted')).toEqual(['true']);
      expect(await speedsOf(webkit)).toEqual(shown);
    });
    await test.step('its buttons work, and it goes forward again', async () => {
      await webkit.click('button', '重新测速');
      await expect.poll(() => speedsOf(webkit)).toEqual(ALL_MEASURED);
      await webkit.goForward();
      expect(await webkit.url()).toContain('/t/localhost');
    });
    await test.step('nothing has complained so far, and any complaint would have been heard', async () => {
      expect(pages.errors).toEqual([]);
      expectedErrors.push(/./);
      await webkit.goto('/');
      await webkit.evaluate(() => {
        setTimeout(() => {
          throw new Error('thrown');
        });
        void Promise.reject(new Error('rejected'));
        window.console.error('said');
        document.head.append(Object.assign(document.createElement('script'), { text: 'forbidden()' }));
        document.body.append(Object.assign(document.createElement('img'), { src: '/missing.png' }));
      });
      for (const complaint of [
        /thrown/,
        /unhandled rejection: .*rejected/,
        /said/,
        /against the policy: script-src/,
        /did not load .*missing\.png/,
      ]) {
        await expect
          .poll(() => pages.errors.some((error) => complaint.test(error)), String(complaint))
          .toBe(true);
      }
    });
  });
});

test.describe('the page, on a phone', () => {
  test.use({ viewport: PHONE });

  test('tries again if the links config did not load, has four links in the place of the tabs, speaks three languages, and closes in a restricted region', async ({
    webkit,
    front,
    expectedErrors,
  }) => {
    // WebKit tells the page now and then that what it loaded ahead was refused.
    expectedErrors.push(/did not load \S+\/json\/link\.json$/);
    await test.step('says that the links config did not load, and tries again', async () => {
      const repair = front.route(/^\/json\/link\.json/, { status: 503 });
      await webkit.goto('/');
      await expect
        .poll(() => webkit.texts('[role="alert"]'))
        .toEqual([expect.stringContaining('线路加载失败，请检查网络后重试')]);
      expect(front.requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
      await takeShot(webkit, 'links-failed-390');
      repair();
      await webkit.click('button', '重试');
      await expect.poll(() => speedsOf(webkit)).toEqual(ALL_MEASURED);
      expect(await webkit.texts('[role="alert"]')).toEqual([]);
    });
    await waitUntilReady(webkit);
    await test.step('each link opens a window of its own, and no code is drawn', async () => {
      expect(await webkit.count('tab', '钱包教程 图文步骤，轻松上手')).toBe(0);
      for (const link of ['ub', 'wallet', 'esb', 'telegram']) {
        expect(await webkit.attributes(`main a[href="${LINKS[link]}"]`, 'target')).toContain('_blank');
      }
      expect(front.requests.filter((path) => path.includes('banner'))).toEqual([
        expect.stringMatching(/banner-mobile.*avif$/),
      ]);
      // Such as draw-qr-1a2b3c4d.js and wallet-qr.svg. The hash of any file may have these two letters.
      expect(front.requests.filter((path) => /-qr[-.]/.test(path))).toEqual([]);
    });
    for (const [language, lang, retest] of [
      ['English', 'en', 'Retest speed'],
      ['繁體中文', 'zh-TW', '重新測速'],
      ['简体中文', 'zh-CN', '重新测速'],
    ] as const) {
      await test.step(`switches to ${language}, and remembers it`, async () => {
        await webkit.follow(language);
        expect(await webkit.attributes('html', 'lang')).toEqual([lang]);
        await webkit.goto('/');
        expect(await webkit.attributes('html', 'lang')).toEqual([lang]);
        await waitUntilReady(webkit);
        expect(await webkit.count('button', retest)).toBe(1);
        await takeShot(webkit, `measured-390-${lang}`);
        for (const width of [320, 390]) {
          await webkit.resize({ width, height: 844 });
          await expect.poll(() => webkit.evaluate(() => innerWidth)).toBe(width);
          expect(await webkit.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        }
      });
    }
    await test.step('closes the line panel where the region turns out to be restricted', async () => {
      front.route(/^\/api\/hostnames/, { status: 451 });
      await webkit.goto('/');
      await expect.poll(() => webkit.texts('[role="alert"]')).toEqual(['您所在的地区无法使用本服务']);
      expect(await webkit.texts('[data-row]')).toEqual([]);
    });
  });

  test.describe('of a WebKit whose user reads English', () => {
    test.use({ locale: '', changes: SIX_LANGUAGES });

    test('is in English; in German it may divide its long words, and fits its width', async ({ webkit }) => {
      await webkit.goto('/');
      expect(await webkit.attributes('html', 'lang')).toEqual(['en']);
      // A page that is left while it loads complains about the scripts that did not come.
      await waitUntilReady(webkit);
      await webkit.goto('/?lang=de');
      await waitUntilReady(webkit);
      for (const width of [320, 390]) {
        await webkit.resize({ width, height: 844 });
        await expect.poll(() => webkit.evaluate(() => innerWidth)).toBe(width);
        expect(await webkit.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      await takeShot(webkit, 'measured-390-de');
      const hyphens = await webkit.evaluate(() =>
        ['hyphens', 'hyphenate-limit-before', 'hyphenate-limit-after'].map((name) =>
          getComputedStyle(document.body).getPropertyValue(`-webkit-${name}`),
        ),
      );
      expect(hyphens).toEqual(['auto', '6', '6']);
    });
  });

  test.describe('of WeChat on an iPhone', () => {
    test.use({ userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49' });

    test('advises another browser', async ({ webkit }) => {
      await webkit.goto('/');
      await waitUntilReady(webkit);
      await expect.poll(() => webkit.texts('body')).toEqual([expect.stringContaining('在浏览器中打开')]);
      for (const width of [320, 390]) {
        await webkit.resize({ width, height: 844 });
        await expect.poll(() => webkit.evaluate(() => innerWidth)).toBe(width);
        const [hintEnd = NaN, headlineStart] = await webkit.evaluate(() => [
          document.querySelector('main > aside')?.getBoundingClientRect().bottom,
          document.querySelector('h1')?.getBoundingClientRect().top,
        ]);
        expect(headlineStart).toBeGreaterThanOrEqual(hintEnd);
        await takeShot(webkit, `in-app-${width}`);
      }
    });
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });

    test('has the fallback lines as plain links, as /r and /t do', async ({ webkit, front }) => {
      for (const path of ['/', '/t/localhost', '/r']) {
        await webkit.goto(path);
        expect(await webkit.count('link', '官方线路4')).toBe(1);
        expect(await webkit.attributes('a[href*="backup1.localhost"]', 'href')).toEqual([
          expect.stringMatching(/^http:\/\/www\d+\.backup1\.localhost:\d+/),
        ]);
        await takeShot(webkit, `no-script-390${path.replaceAll('/', '-')}`);
      }
      expect(front.requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
      await webkit.click('link', '官方线路1');
      await expect.poll(() => webkit.url()).toContain('.backup1.localhost:');
    });
  });

  test.describe('in a region that the server knows to be restricted', () => {
    test.use(IN_RESTRICTED_REGION);

    test('is a notice, as /r and /t are', async ({ webkit, front }) => {
      for (const path of ['/', '/r', '/t/localhost']) {
        await webkit.goto(path);
        expect(await webkit.texts('body')).toEqual([expect.stringContaining('您所在的地区无法使用本服务')]);
        await takeShot(webkit, `restricted-390${path.replaceAll('/', '-')}`);
      }
      expect(front.requests.filter((path) => /^\/(?:api|json\/urls)/.test(path))).toEqual([]);
    });
  });
});

function selectedTab(webkit: WebKitPage): Promise<string | undefined> {
  return webkit.evaluate(() => document.querySelector('[role="tab"][aria-selected="true"]')?.id);
}

/** Reads the QR code in the panel that is shown; undefined while there is none. */
async function scan(webkit: WebKitPage): Promise<string | undefined> {
  const picture = await webkit.screenshot('[role="tabpanel"]:not([hidden])');
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  try {
    return decodeQr({ data: new Uint8ClampedArray(data), width: info.width, height: info.height });
  } catch {
    return undefined; // The code has not been drawn yet.
  }
}

/** Pastes what was copied into a field of its own, because no page may read the clipboard. */
async function readClipboard(webkit: WebKitPage): Promise<string> {
  await webkit.evaluate(() => {
    const field = Object.assign(document.createElement('textarea'), { id: 'pasted' });
    document.querySelector('#pasted')?.remove();
    document.body.append(field);
    field.focus();
  });
  await webkit.press('Control', 'v');
  return webkit.evaluate(() => document.querySelector<HTMLTextAreaElement>('#pasted')?.value ?? '');
}
