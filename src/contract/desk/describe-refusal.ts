import { type ConsoleLanguage, type InConsoleLanguages, sayInEach } from '../console-language.ts';
import { describeFact } from '../faults/describe-site-fault.ts';
import { type Said, say } from '../faults/say.ts';
import type { Fact } from '../faults/site-fault.ts';
import { type DeskRefusalTexts, en } from './texts/en.ts';
import { zhCN } from './texts/zh-cn.ts';

const TEXTS: InConsoleLanguages<DeskRefusalTexts> = { en, 'zh-CN': zhCN };

/** Why a file cannot be taken. */
export type FileFault = Said<DeskRefusalTexts['files']> | { readonly kind: 'json'; readonly fact: Fact };

/** Why an edit cannot be made. */
export type EditFault = Said<DeskRefusalTexts['edits']>;

/** Why the desk did not do what it was asked, as data. */
export type DeskRefusal =
  | Said<DeskRefusalTexts['refusals']>
  | { readonly kind: 'file'; readonly path: string; readonly fault: FileFault }
  | { readonly kind: 'edit'; readonly file: string; readonly at: string; readonly fault: EditFault };

/** Says it in each language of the console. */
export function tellRefusal(refusal: DeskRefusal): InConsoleLanguages {
  return sayInEach((language) => describeRefusal(refusal, language));
}

function describeRefusal(refusal: DeskRefusal, language: ConsoleLanguage): string {
  const { refusals, file, files, edit, edits } = TEXTS[language];
  if (refusal.kind === 'file') {
    const { path, fault } = refusal;
    return file(path, fault.kind === 'json' ? describeFact(fault.fact, language) : say(files, fault));
  }
  if (refusal.kind === 'edit') return edit(refusal.file, refusal.at, say(edits, refusal.fault));
  return say(refusals, refusal);
}
