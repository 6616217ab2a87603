import { type ReactNode, useEffect, useState } from 'react';
import { IN_APP_HINT_KEY } from '../../../contract/page/storage-keys.ts';
import { createBrowserStore } from '../../../engine/effects/browser-effects.ts';
import { CopyButton } from '../copy-button.tsx';
import controls from '../../kit/page/controls.module.css';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';

const DISMISSED = '1';

/** Tells visitors in an in-app browser, which may block downloads and redirects, how to leave it. */
export function InAppHint(): ReactNode {
  const { texts } = usePage();
  const [address, setAddress] = useState<string>();

  useEffect(() => {
    const isDismissed = createBrowserStore(() => sessionStorage).get(IN_APP_HINT_KEY) === DISMISSED;
    if (!isDismissed && isInAppBrowser(navigator.userAgent)) setAddress(location.href);
  }, []);

  const dismiss = (): void => {
    createBrowserStore(() => sessionStorage).set(IN_APP_HINT_KEY, DISMISSED);
    setAddress(undefined);
  };

  if (address === undefined) return null;
  return (
    <aside className={controls.floating} aria-label={texts.copyPage}>
      <p>{texts.inAppHint}</p>
      <CopyButton text={address} label={texts.copyPage} isLabelled />
      <button
        className={controls.dismiss}
        type="button"
        data-silent="in-app-hint"
        aria-label={texts.dismiss}
        onClick={dismiss}
      >
        <Icon name="close" />
      </button>
    </aside>
  );
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
