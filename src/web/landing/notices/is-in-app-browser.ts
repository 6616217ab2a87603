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
