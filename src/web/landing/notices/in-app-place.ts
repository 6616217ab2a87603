import { DESKTOP_MEDIA } from '../../../contract/limits.ts';
import { IN_APP_HINT_KEY } from '../../../contract/page/storage-keys.ts';
import { createBrowserStore } from '../../../engine/effects/browser-effects.ts';

const DISMISSED = '1';
/** About as high as the hint, with the space around it. */
const PLACE = { desktop: '5rem', mobile: '7.625rem' };

/**
 * Makes room for the hint as soon as scripts run. React brings it after the results, and what comes so late would cover or move what
 * somebody is about to touch.
 */
export function holdInAppPlace(page: Window, root: HTMLElement): void {
  if (!isInAppHintWanted(page)) return;
  const { matches: isDesktop } = page.matchMedia(DESKTOP_MEDIA);
  setPlace(root, isDesktop ? PLACE.desktop : PLACE.mobile);
}

/** Gives the place to the hint. */
export function releaseInAppPlace(root: ParentNode): void {
  setPlace(root, '');
}

function setPlace(root: ParentNode, height: string): void {
  const main = root.querySelector('main');
  if (main) main.style.paddingTop = height;
}

export function isInAppHintWanted(page: Window): boolean {
  const isDismissed = createBrowserStore(() => page.sessionStorage).get(IN_APP_HINT_KEY) === DISMISSED;
  return !isDismissed && isInAppBrowser(page.navigator.userAgent);
}

export function dismissInAppHint(page: Window): void {
  createBrowserStore(() => page.sessionStorage).set(IN_APP_HINT_KEY, DISMISSED);
}

/**
 * The browsers inside other apps: WeChat, QQ (the app, not QQ Browser), Weibo, DingTalk, Alipay, Douyin and TikTok,
 * Xiaohongshu, Baidu, Toutiao, Feishu, Line, Facebook, Instagram, and Telegram on Android.
 */
const IN_APP =
  /MicroMessenger|\bQQ\/\d|Weibo|DingTalk|AlipayClient|aweme|BytedanceWebview|musical_ly|TikTok|xhsdiscover|baiduboxapp|NewsArticle|Lark\/|\bLine\/|FBAN|FBAV|Instagram|Telegram-Android/i;

/** Whether a page is shown inside another app, which may block its downloads and redirects. */
export function isInAppBrowser(userAgent: string): boolean {
  return IN_APP.test(userAgent);
}
