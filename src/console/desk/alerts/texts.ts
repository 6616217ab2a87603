import type { InConsoleLanguages } from '../../../contract/console-language.ts';
import { useLocale } from '../../locale/locale.ts';
import { en } from './texts-en.ts';
import { zhCN } from './texts-zh-cn.ts';

export type AlertTexts = typeof en;

/** The texts of the section. They are loaded with it. */
const TEXTS: InConsoleLanguages<AlertTexts> = { en, 'zh-CN': zhCN };

export function useAlertTexts(): AlertTexts {
  return TEXTS[useLocale().language];
}
