import type { ConsoleLanguage, InConsoleLanguages } from '../console-language.ts';
import type { LineFault } from './line-fault.ts';
import { type FaultText, type LineFaultTexts, en } from './texts/en.ts';
import { zhCN } from './texts/zh-cn.ts';

const TEXTS: InConsoleLanguages<LineFaultTexts> = { en, 'zh-CN': zhCN };

/** Says what is wrong with a line, and what to do about it. Commands and the log say it in English. */
export function describeFault(fault: LineFault, language: ConsoleLanguage): FaultText {
  const texts: Readonly<Record<string, FaultText | ((fault: never) => FaultText)>> = TEXTS[language];
  // A newer portal that shares the database of this one may know more kinds, and its faults are in the incidents there.
  const text = texts[fault.kind] ?? { problem: fault.kind, advice: '' };
  // Each kind has the words for its own faults, see `LineFaultTexts`.
  return typeof text === 'function' ? text(fault as never) : text;
}
