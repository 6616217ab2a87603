import type { ConsoleLanguage, InConsoleLanguages } from '../../../contract/console-language.ts';
import { INCIDENT_TEXTS } from '../../../contract/describe-incident.ts';
import type { Severity } from '../../../contract/incidents.ts';

type FirstPart = {
  /** Empty if it is at any hour. */
  readonly hours: string;
  readonly what: string;
  /** Empty if it is of any severity. */
  readonly severity: string;
  /** Empty if it is about all lines. */
  readonly lines: string;
  readonly to: string;
};

/** The words of a rule. Names and numbers come in as they are shown. */
export type SentenceTexts = {
  readonly first: (parts: FirstPart) => string;
  readonly hours: (from: string, until: string, zone: string) => string;
  readonly anything: string;
  readonly severity: (severity: string) => string;
  readonly lines: (lines: string) => string;
  readonly remind: (minutes: number) => string;
  readonly step: (minutes: number, channels: string) => string;
  readonly resolved: string;
  readonly notResolved: string;
  readonly nobody: string;
  readonly list: (names: readonly string[]) => string;
  readonly or: (names: readonly string[]) => string;
  readonly join: (parts: readonly string[]) => string;
};

const nameSeverity = (severity: string, language: ConsoleLanguage): string =>
  INCIDENT_TEXTS[language].severities[severity as Severity] ?? severity;

const en: SentenceTexts = {
  first: ({ hours, what, severity, lines, to }) => {
    const when = `when ${[what, lines, severity].filter((part) => part !== '').join(' ')}`;
    return `${hours === '' ? '' : `${hours}: `}${when}, tell ${to}`;
  },
  hours: (from, until, zone) => `From ${from} to ${until} (${zone})`,
  anything: 'anything goes wrong',
  severity: (severity) => `and it is at least ${nameSeverity(severity, 'en')}`,
  lines: (lines) => `with ${lines}`,
  remind: (minutes) => `Say it again every ${minutes} min until somebody takes it`,
  step: (minutes, channels) => `If nobody takes it within ${minutes} min, tell ${channels}, too`,
  resolved: 'Tell when it is over',
  notResolved: 'Do not tell when it is over',
  nobody: 'nobody yet',
  list: (names) => new Intl.ListFormat('en').format(names),
  or: (names) => new Intl.ListFormat('en', { type: 'disjunction' }).format(names),
  join: (parts) => parts.map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}.`).join(' '),
};

const zhCN: SentenceTexts = {
  first: ({ hours, what, severity, lines, to }) =>
    `${hours === '' ? '' : `${hours}，`}${lines}${what}${severity}时，通知 ${to}`,
  hours: (from, until, zone) => `每天 ${from} 至 ${until}（${zone}）`,
  anything: '出现任何问题',
  severity: (severity) => `且级别至少为“${nameSeverity(severity, 'zh-CN')}”`,
  lines: (lines) => `${lines} `,
  remind: (minutes) => `每 ${minutes} 分钟重复一次，直到有人处理`,
  step: (minutes, channels) => `${minutes} 分钟内无人处理，再通知 ${channels}`,
  resolved: '恢复后也通知',
  notResolved: '恢复后不通知',
  nobody: '（未选择）',
  list: (names) => new Intl.ListFormat('zh').format(names),
  or: (names) => new Intl.ListFormat('zh', { type: 'disjunction' }).format(names),
  join: (parts) => parts.map((part) => `${part}。`).join(''),
};

export const SENTENCE_TEXTS: InConsoleLanguages<SentenceTexts> = { en, 'zh-CN': zhCN };
