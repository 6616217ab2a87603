import type { InConsoleLanguages } from '../../contract/console-language.ts';
import type { MessageType } from './message.ts';

/** The words that only messages have. Those of incidents are in the contract. */
export type MessageTexts = {
  readonly types: Readonly<Record<Exclude<MessageType, 'report'>, string>>;
  /** The type of a message, and how bad it is. */
  readonly tag: (type: string, severity: string) => string;
  readonly title: (tag: string, site: string, what: string) => string;
  readonly since: (what: string, time: string) => string;
  readonly after: (what: string, duration: string) => string;
  readonly testTitle: string;
  readonly ports: (ports: string) => string;
  readonly fromTo: (from: string, to: string) => string;
  // Each of these is empty if there is nothing to say.
  readonly lines: (hosts: string) => string;
  readonly wellAgain: (hosts: string) => string;
  readonly known: (what: string) => string;
  readonly done: (what: string) => string;
  readonly getIn: (percent: number) => string;
  readonly next: (what: string) => string;
  readonly takenBy: (name: string) => string;
  readonly onCall: (name: string) => string;
};

const label =
  (start: string) =>
  (what: string): string =>
    what === '' ? '' : start + what;

const EN: MessageTexts = {
  types: {
    opened: 'Incident',
    changed: 'Worse',
    eased: 'Better',
    returned: 'Back again',
    reminder: 'Still',
    escalated: 'Nobody has taken it',
    resolved: 'Resolved',
    test: 'Test',
  },
  tag: (type, severity) => `${type} · ${severity}`,
  title: (tag, site, what) => `[${tag}] ${site}: ${what}`,
  since: (what, time) => `${what}, since ${time}`,
  after: (what, duration) => `${what}, after ${duration}`,
  testTitle: 'Messages of this channel arrive here',
  ports: (ports) => `At port ${ports}`,
  fromTo: (from, to) => `From ${from} to ${to}`,
  lines: label('Lines: '),
  wellAgain: label('Up again: '),
  known: label('Known: '),
  done: label('Done: '),
  getIn: (percent) => `Visitors of the last 5 minutes who got in: ${percent}%`,
  next: label('To do: '),
  takenBy: (name) => `Taken by ${name}`,
  onCall: (name) => `On call: ${name}`,
};

const ZH_CN: MessageTexts = {
  types: {
    opened: '故障',
    changed: '恶化',
    eased: '好转',
    returned: '再次出现',
    reminder: '仍未恢复',
    escalated: '无人处理',
    resolved: '已恢复',
    test: '测试',
  },
  tag: (type, severity) => `${type} · ${severity}`,
  title: (tag, site, what) => `[${tag}] ${site}：${what}`,
  since: (what, time) => `${what}，自 ${time} 起`,
  after: (what, duration) => `${what}，持续 ${duration}`,
  testTitle: '此通道可以收到消息',
  ports: (ports) => `端口：${ports}`,
  fromTo: (from, to) => `${from} 至 ${to}`,
  lines: label('线路：'),
  wellAgain: label('已恢复：'),
  known: label('情况：'),
  done: label('已处理：'),
  getIn: (percent) => `最近 5 分钟成功进入的访客：${percent}%`,
  next: label('下一步：'),
  takenBy: (name) => `处理人：${name}`,
  onCall: (name) => `值班：${name}`,
};

export const MESSAGE_TEXTS: InConsoleLanguages<MessageTexts> = { en: EN, 'zh-CN': ZH_CN };
