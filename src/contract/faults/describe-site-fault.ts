import { type ConsoleLanguage, type InConsoleLanguages, sayInEach } from '../console-language.ts';
import { writeCoded } from '../error-codes.ts';
import {
  type Fact,
  type Rule,
  type SiteFault,
  type ToldFault,
  writePath,
  writePlaced,
} from './site-fault.ts';
import { say } from './say.ts';
import { type SiteFaultTexts, en } from './texts/en.ts';
import { zhCN } from './texts/zh-cn.ts';

const TEXTS: InConsoleLanguages<SiteFaultTexts> = { en, 'zh-CN': zhCN };

/** Says what is wrong, and where: `site.json:12:5: …`. */
export function writeSiteFault(fault: SiteFault, language: ConsoleLanguage): string {
  return writePlaced(fault.place, describeSiteFault(fault, language));
}

/** Says what is wrong in each language of the console. */
export function tellFault({ code, values, place }: SiteFault): ToldFault {
  const fault = { code, ...(place && { place }) };
  return { ...fault, sentences: sayInEach((language) => describeSiteFault({ ...fault, values }, language)) };
}

/** Writes a fault with its place at the start, and its code at the end. */
export function writeCodedFault(fault: SiteFault, language: ConsoleLanguage): string {
  return writeCoded({ code: fault.code, message: writeSiteFault(fault, language) });
}

/** Says what is wrong, for a form that shows it beside its field. */
export function describeSiteFault({ values, place }: SiteFault, language: ConsoleLanguage): string {
  if ('fact' in values) return describeFact(values.fact, language);
  const { breaks, got, theFile } = TEXTS[language];
  const sentence = breaks(writePath(place?.path ?? []) || theFile, describeRule(values.rule, language));
  return values.got === undefined ? sentence : got(sentence, values.got);
}

/** Completes a sentence such as "lines.ports[0] …". */
export function describeRule(rule: Rule, language: ConsoleLanguage): string {
  const { rules, orByLanguage } = TEXTS[language];
  const sentence = say(rules, rule);
  return rule.orByLanguage ? orByLanguage(sentence) : sentence;
}

export function describeFact(fact: Fact, language: ConsoleLanguage): string {
  return say(TEXTS[language].facts, fact);
}
