import type { Locale } from '../contract/locales.ts';
import type { SpeedText } from '../engine/describe-speed.ts';

const zhCN = {
  officialLine: '官方线路{n}',
  retest: '重新测速',
  testing: '测速中',
  backup: '备用',
  estimate: '估计',
  aboveFiveSeconds: '大于5秒',
  aboveTwentySeconds: '大于20秒',
  fastest: '最快',
  timeout: '连接超时',
  unreachable: '无法连接',
  'wrong-server': '身份验证失败',
  linksFailed: '配置加载失败，请检查网络后重试',
  tryAgain: '重试',
  home: '返回首页',
  service: '在线客服',
  noneReachable: '暂时没有可用的线路，请稍后重试',
  restricted: '您所在的地区无法使用本服务',
  enter: '点我进入',
  choosing: '正在选择最快的地址',
  targetFailed: '没有找到该地址，请稍后重试',
  notFound: '页面不存在',
};

export type TextKey = keyof typeof zhCN;
export type Texts = Readonly<Record<TextKey, string>>;

const zhTW: Texts = {
  officialLine: '官方線路{n}',
  retest: '重新測速',
  testing: '測速中',
  backup: '備用',
  estimate: '估計',
  aboveFiveSeconds: '大於5秒',
  aboveTwentySeconds: '大於20秒',
  fastest: '最快',
  timeout: '連線逾時',
  unreachable: '無法連線',
  'wrong-server': '身分驗證失敗',
  linksFailed: '設定載入失敗，請檢查網路後重試',
  tryAgain: '重試',
  home: '返回首頁',
  service: '線上客服',
  noneReachable: '暫時沒有可用的線路，請稍後重試',
  restricted: '您所在的地區無法使用本服務',
  enter: '點我進入',
  choosing: '正在選擇最快的位址',
  targetFailed: '沒有找到該位址，請稍後重試',
  notFound: '頁面不存在',
};

const en: Texts = {
  officialLine: 'Official line {n}',
  retest: 'Retest speed',
  testing: 'testing',
  backup: 'backup',
  estimate: 'estimate',
  aboveFiveSeconds: 'above 5 seconds',
  aboveTwentySeconds: 'above 20 seconds',
  fastest: 'fastest',
  timeout: 'timed out',
  unreachable: 'unreachable',
  'wrong-server': 'identity check failed',
  linksFailed: 'The configuration did not load. Check your connection and try again.',
  tryAgain: 'Try again',
  home: 'Home page',
  service: 'Customer service',
  noneReachable: 'No line can be reached right now. Please try again later.',
  restricted: 'This service is not available in your region.',
  enter: 'Click me to enter',
  choosing: 'Choosing the fastest address',
  targetFailed: 'That address was not found. Please try again later.',
  notFound: 'Page not found',
};

const TEXTS: Readonly<Record<Locale, Texts>> = { 'zh-CN': zhCN, 'zh-TW': zhTW, en };

type Overrides = Readonly<Partial<Record<Locale, Readonly<Record<string, string>>>>>;

/** The texts of a locale, with those that the site folder overrides. */
export function textsFor(locale: Locale, overrides: Overrides): Texts {
  return { ...TEXTS[locale], ...overrides[locale] };
}

/** A row's speed in words. */
export function speedInWords(speed: SpeedText, texts: Texts): string {
  switch (speed.key) {
    case 'measured':
    case 'estimate':
      return `${speed.ms}ms`;
    case 'testing':
    case 'aboveFiveSeconds':
    case 'aboveTwentySeconds':
      return texts[speed.key];
  }
}
