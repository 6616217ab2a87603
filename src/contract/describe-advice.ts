import type { ConsoleLanguage, InConsoleLanguages } from './console-language.ts';
import { type Incident, type IncidentPart, partsOf } from './incidents.ts';
import { describeFault } from './line/describe-fault.ts';
import { type AdviceTexts, advice as en } from './texts/en.ts';
import { advice as zhCN } from './texts/zh-cn.ts';

const TEXTS: InConsoleLanguages<AdviceTexts> = { en, 'zh-CN': zhCN };

/** What the server did by itself, and what a person does next. Either may be empty. */
export type Advice = { readonly done: string; readonly next: string };

/** Says what was done already, and what to do next. */
export function adviseOn(incident: Incident, language: ConsoleLanguage): Advice {
  const { kind, lineCount } = incident;
  const lines = partsOf(incident).filter((part) => part.kind === 'line-down' && !part.isBackup);
  const areAllDown = lineCount !== undefined && lineCount > 0 && lines.length >= lineCount;
  const texts = TEXTS[language];
  // A newer portal may know more kinds.
  const done: Readonly<Record<string, string>> = texts.done;
  const next: Readonly<Record<string, string>> = texts.next;
  const isOnlyBackups = kind === 'line-down' && lines.length === 0;
  return {
    // A backup is built into every page, and is never left out.
    done: isOnlyBackups ? '' : areAllDown ? texts.allDown : (done[kind] ?? ''),
    next: findFaultAdvice(partsOf(incident), language) ?? next[kind] ?? '',
  };
}

/** Says what the lines of an incident have in common. Empty if that is nothing. */
export function describeShared(incident: Incident, language: ConsoleLanguage): string {
  const [, kind = '', what = ''] = /^(\w+)\/(.*)$/.exec(incident.shared ?? '') ?? [];
  return TEXTS[language].shared[kind]?.(what) ?? '';
}

/** What to do about the fault that most lines have. */
function findFaultAdvice(parts: readonly IncidentPart[], language: ConsoleLanguage): string | undefined {
  const counts = new Map<string, number>();
  for (const { detail, endedAt } of parts) {
    if (detail.kind !== 'line-faults' || endedAt !== null) continue;
    const [fault] = detail.faults;
    const advice = fault && describeFault(fault, language).advice;
    if (advice) counts.set(advice, (counts.get(advice) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
