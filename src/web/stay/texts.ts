type StayTexts = {
  readonly language: string;
  /** The bar, and the title of the page instead of one of this line. */
  readonly lost: string;
  readonly goOn: string;
  readonly again: string;
  readonly back: string;
  readonly close: string;
  readonly unsure: string;
  readonly checkNetwork: string;
};

const TEXTS: readonly StayTexts[] = [
  {
    language: 'en',
    lost: 'This line does not answer.',
    goOn: 'Go on at another one',
    again: 'Load the page again',
    back: 'Back to the form',
    close: 'Close',
    unsure: 'Your last action may or may not have been carried out. Please check before you repeat it.',
    checkNetwork: 'Please check your network, then load the page again.',
  },
  {
    language: 'zh-CN',
    lost: '当前线路没有响应。',
    goOn: '前往其他线路',
    again: '重新加载页面',
    back: '返回表单页面',
    close: '关闭',
    unsure: '您刚才的操作可能已经完成，也可能没有完成。重复操作之前请先确认。',
    checkNetwork: '请检查您的网络，然后重新加载页面。',
  },
  {
    language: 'zh-TW',
    lost: '目前線路沒有回應。',
    goOn: '前往其他線路',
    again: '重新載入頁面',
    back: '返回表單頁面',
    close: '關閉',
    unsure: '您剛才的操作可能已經完成，也可能沒有完成。重複操作之前請先確認。',
    checkNetwork: '請檢查您的網路，然後重新載入頁面。',
  },
];

/** The texts in the first of these languages that we have. */
export function chooseTexts(languages: readonly string[]): StayTexts {
  for (const wanted of languages) {
    const found = TEXTS.find(({ language }) => language === nameOf(wanted));
    if (found) return found;
  }
  // The list is not empty.
  return TEXTS[0] as StayTexts;
}

function nameOf(language: string): string {
  if (/^zh-(?:tw|hk|mo|hant)/i.test(language)) return 'zh-TW';
  return /^zh\b/i.test(language) ? 'zh-CN' : language.slice(0, 2).toLowerCase();
}
