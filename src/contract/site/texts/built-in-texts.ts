import type { BuiltInLocale } from '../locales.ts';
import type { Texts } from '../text-keys.ts';
import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';
import { zhTW } from './zh-tw.ts';

/** The texts of the pages that need no site folder. The console shows them to the operator, too. */
export const BUILT_IN_TEXTS: Readonly<Record<BuiltInLocale, Texts>> = { 'zh-CN': zhCN, 'zh-TW': zhTW, en };
