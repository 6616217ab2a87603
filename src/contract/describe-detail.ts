import type { ConsoleLanguage, InConsoleLanguages } from './console-language.ts';
import { say } from './faults/say.ts';
import { writePlaced } from './faults/site-fault.ts';
import type { IncidentDetail } from './incidents.ts';
import { describeFault } from './line/describe-fault.ts';
import { type DetailTexts, details as en } from './texts/en.ts';
import { details as zhCN } from './texts/zh-cn.ts';

const TEXTS: InConsoleLanguages<DetailTexts> = { en, 'zh-CN': zhCN };

/** Says what the server saw, for messages, commands and the console. Empty if there is nothing to say. */
export function describeDetail(detail: IncidentDetail, language: ConsoleLanguage): string {
  const { semicolon, ...texts } = TEXTS[language];
  if (detail.kind === 'line-faults') {
    return detail.faults.map((fault) => describeFault(fault, language).problem).join(semicolon);
  }
  if (detail.kind === 'site-fault') return writePlaced(detail.fault.place, detail.fault.sentences[language]);
  return detail.kind === 'text' ? detail.text : say(texts, detail);
}
