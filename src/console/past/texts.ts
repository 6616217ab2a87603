import type { InConsoleLanguages } from '../../contract/console-language.ts';
import { createTextsHook } from '../locale/locale.ts';

/** The texts of the bar. They are loaded with it. */
const en = {
  bar: 'Time that is shown',
  now: 'Now',
  hint: 'Drag to the left to see the past',
  keys: 'Arrow keys: five minutes. Page keys: an hour. Home and End: the ends of the day.',
  past: (clock: string) => `You see ${clock}`,
  pastNote: 'The past: nothing is updated, and nothing can be changed here.',
  backToNow: 'Back to now',
  earlierDay: 'A day earlier',
  laterDay: 'A day later',
  before: 'The change before',
  after: 'The change after',
  nothingKept: (clock: string) => `${clock}: nothing is kept`,
  gapTitle: 'Nothing is kept of this time',
  gap: 'No portal was running then, or it is more than seven days ago. Dotted parts of the bar have nothing to show.',
  changes: 'What changed in the hour before',
  noChanges: 'Nothing changed in the hour before.',
  more: (count: string) => `${count} more`,
  published: 'The site was published',
  line: (host: string, status: string) => `${host}: ${status}`,
  opened: (name: string) => `Incident: ${name}`,
  closed: (name: string) => `Over: ${name}`,
  told: (channel: string, name: string) => `Message to ${channel}: ${name}`,
  'not-told': (channel: string, name: string) => `${channel} took no message: ${name}`,
};

export type PastTexts = typeof en;

const zhCN: PastTexts = {
  bar: '显示的时间',
  now: '现在',
  hint: '向左拖动可查看过去',
  keys: '方向键移动五分钟，翻页键移动一小时，Home 和 End 移到当天两端。',
  past: (clock) => `您正在查看 ${clock}`,
  pastNote: '这是过去的数据：不会更新，也不能在此更改任何内容。',
  backToNow: '回到现在',
  earlierDay: '前一天',
  laterDay: '后一天',
  before: '上一处变化',
  after: '下一处变化',
  nothingKept: (clock) => `${clock}：没有记录`,
  gapTitle: '这个时间没有记录',
  gap: '当时没有实例在运行，或已超过七天。时间条上虚线的部分没有可显示的内容。',
  changes: '此前一小时的变化',
  noChanges: '此前一小时没有变化。',
  more: (count) => `还有 ${count} 处`,
  published: '站点已发布',
  line: (host, status) => `${host}：${status}`,
  opened: (name) => `事件：${name}`,
  closed: (name) => `已结束：${name}`,
  told: (channel, name) => `已通知 ${channel}：${name}`,
  'not-told': (channel, name) => `${channel} 未收到消息：${name}`,
};

export const PAST_TEXTS: InConsoleLanguages<PastTexts> = { en, 'zh-CN': zhCN };

export const usePastTexts = createTextsHook(PAST_TEXTS);
