import { createTextsHook } from '../../locale/locale.ts';
import { type DeskTexts, en } from './en.ts';
import { zhCN } from './zh-cn.ts';

/** The desk's texts in the operator's language. They are loaded with the desk, and not with the console. */
export const useDeskTexts = createTextsHook<DeskTexts>({ en, 'zh-CN': zhCN });
