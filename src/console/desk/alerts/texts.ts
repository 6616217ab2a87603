import { createTextsHook } from '../../locale/locale.ts';
import { en } from './texts-en.ts';
import { zhCN } from './texts-zh-cn.ts';

export type AlertTexts = typeof en;

/** The texts of the section. They are loaded with it. */
export const useAlertTexts = createTextsHook<AlertTexts>({ en, 'zh-CN': zhCN });
