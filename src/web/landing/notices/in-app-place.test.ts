import { describe, expect, test } from 'vitest';
import { IN_APP_HINT_KEY } from '../../../contract/page/storage-keys.ts';
import { dismissInAppHint, holdInAppPlace, isInAppBrowser, releaseInAppPlace } from './in-app-place.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko)';

describe('isInAppBrowser', () => {
  test.each([
    ['WeChat', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/zh_CN`],
    [
      'QQ',
      `${ANDROID} Version/4.0 Chrome/109.0 MQQBrowser/6.2 Mobile Safari/537.36 V1_AND_SQ_9.0.8 QQ/9.0.8.14755`,
    ],
    ['Weibo', `${IPHONE} Mobile/15E148 Weibo (iPhone15,2__weibo__14.5.0__iphone__os17.5)`],
    ['Alipay', `${IPHONE} Mobile/15E148 NebulaSDK/1.8 AlipayClient/10.5.96`],
    ['Douyin', `${IPHONE} Mobile/15E148 aweme_29.9.0 JsSdk/2.0`],
    ['Xiaohongshu', `${IPHONE} Mobile/15E148 xhsdiscover/8.38`],
    ['DingTalk', `${ANDROID} Chrome/112 Mobile Safari/537.36 AliApp(DingTalk/7.5.20)`],
    ['Baidu', `${ANDROID} Chrome/97 Mobile Safari/537.36 T7/13.63 baiduboxapp/13.63`],
  ])('knows the browser inside %s', (_, userAgent) => {
    expect(isInAppBrowser(userAgent)).toBe(true);
  });

  test.each([
    ['Safari', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`],
    ['Chrome', `${ANDROID} Chrome/126.0.0.0 Mobile Safari/537.36`],
    ['QQ Browser', `${ANDROID} Version/4.0 Chrome/109.0 MQQBrowser/14.9 Mobile Safari/537.36`],
    ['UC', `${ANDROID} Version/4.0 Chrome/100.0 UCBrowser/16.5 Mobile Safari/537.36`],
    ['a desktop', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  ])('leaves %s in peace', (_, userAgent) => {
    expect(isInAppBrowser(userAgent)).toBe(false);
  });
});

describe('the place of the hint', () => {
  function openPage(userAgent: string) {
    const style = { paddingTop: '' };
    const kept = new Map<string, string>();
    const sessionStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    };
    const page = { navigator: { userAgent }, sessionStorage, matchMedia: () => ({ matches: false }) };
    const root = { querySelector: () => ({ style }) };
    // Only what the functions use.
    return { page: page as unknown as Window, root: root as unknown as HTMLElement, style, kept };
  }

  test('is held before the hint comes, and given to it', () => {
    const { page, root, style } = openPage(`${IPHONE} MicroMessenger/8.0.49`);
    holdInAppPlace(page, root);
    expect(style.paddingTop).not.toBe('');
    releaseInAppPlace(root);
    expect(style.paddingTop).toBe('');
  });

  test('is not held in other browsers, nor once the hint is dismissed', () => {
    const other = openPage(`${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`);
    holdInAppPlace(other.page, other.root);
    expect(other.style.paddingTop).toBe('');
    const { page, root, style, kept } = openPage(`${IPHONE} MicroMessenger/8.0.49`);
    dismissInAppHint(page);
    expect([...kept.keys()]).toEqual([IN_APP_HINT_KEY]);
    holdInAppPlace(page, root);
    expect(style.paddingTop).toBe('');
  });
});
