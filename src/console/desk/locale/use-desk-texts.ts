import type { InConsoleLanguages } from '../../../contract/console-language.ts';
import { useLocale } from '../../locale/locale.ts';
import { type DeskTexts, en } from './en.ts';
import { zhCN } from './zh-cn.ts';

const TEXTS: InConsoleLanguages<DeskTexts> = { en, 'zh-CN': zhCN };

/** The desk's texts in the operator's language. They are loaded with the desk, and not with the console. */
export function useDeskTexts(): DeskTexts {
  return TEXTS[useLocale().language];
}
