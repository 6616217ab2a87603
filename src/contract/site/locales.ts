export const LOCALES = ['zh-CN', 'zh-TW', 'en'] as const;

export type Locale = (typeof LOCALES)[number];

export const DEFAULT_LOCALE: Locale = 'zh-CN';
