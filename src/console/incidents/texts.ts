import type { InConsoleLanguages } from '../../contract/console-language.ts';
import type { IncidentKind } from '../../contract/incidents.ts';
import type { Problems } from '../live/describe-refusal.ts';
import { createTextsHook } from '../locale/locale.ts';
import type { LaneSpan } from './lay-out-lanes.ts';

type Easing = { readonly was: string; readonly is: string };

/** The texts of the view. They are loaded with it. Those of the incidents themselves are also in messages. */
const en = {
  lanes: 'When',
  lanesNote: 'press a bar to read about its incident',
  spans: { '24h': '24 hours', '7d': '7 days' } satisfies Record<LaneSpan, string>,
  noLanes: 'Nothing was wrong in this time.',
  moreLanes: (count: string) => `${count} more in the list below`,
  /** What an incident without a subject is about. */
  things: {
    'visitors-lost': 'Visitors',
    'visitors-missing': 'Visitors',
    'site-refused': 'Site folder',
    'store-down': 'Store',
    'reports-refused': 'Reports',
    'unknown-regions': 'Regions',
    'portal-cut-off': 'This portal',
  } as Partial<Record<IncidentKind, string>>,
  open: 'Open',
  nothingOpen: 'Nothing is wrong.',
  earlier: 'Earlier',
  earlierNote: 'of the last 90 days',
  nothingEarlier: 'There were no incidents.',
  severity: (severity: string) => `Severity: ${severity}`,
  take: 'Take it',
  takenBy: (name: string) => `Taken by ${name}`,
  silenced: 'In maintenance: nobody is told',
  eased: (host: string, { was, is }: Easing) => `${host} ${was} and ${is}`,
  was: {
    'line-down': 'was down',
    'line-degraded': 'was degraded',
    'line-lost': 'was lost in some places',
  } as Partial<Record<IncidentKind, string>>,
  is: { up: 'is up again', degraded: 'is degraded now' },
  lines: (hosts: string) => `Lines: ${hosts}`,
  otherLines: (hosts: string) => `Degraded: ${hosts}`,
  wellAgain: (hosts: string) => `Up again: ${hosts}`,
  next: (what: string) => `To do: ${what}`,
  onCall: (names: string) => `On call now: ${names}`,
  timeline: 'Timeline',
  becoming: (event: string, what: string) => `${event}: ${what}`,
  channels: 'Channels',
  channelsNote: 'who is told; to change it: Site, Alerts',
  noChannels: 'Nobody is told: site.json has no channels.',
  sent: (clock: string) => `last message at ${clock}`,
  neverSent: 'no message since the start',
  waiting: (count: string) => `${count} waiting`,
  failing: (reason: string) => `does not take messages: ${reason}`,
  test: 'Send a test',
  testSent: 'The test was sent.',
  testFailed: (reason: string) => `The channel did not take the test: ${reason}`,
  problems: {
    'unknown-incident': 'This incident is over.',
    'unknown-channel': 'This channel is not there any more.',
  } satisfies Problems as Problems,
};

export type IncidentViewTexts = typeof en;

const zhCN: IncidentViewTexts = {
  lanes: '时间轴',
  lanesNote: '点按横条可查看事件',
  spans: { '24h': '24 小时', '7d': '7 天' },
  noLanes: '此时段一切正常。',
  moreLanes: (count) => `另有 ${count} 项，见下方列表`,
  things: {
    'visitors-lost': '访客',
    'visitors-missing': '访客',
    'site-refused': '站点目录',
    'store-down': '存储',
    'reports-refused': '报告',
    'unknown-regions': '地区',
    'portal-cut-off': '此门户',
  },
  open: '进行中',
  nothingOpen: '一切正常。',
  earlier: '历史',
  earlierNote: '最近 90 天',
  nothingEarlier: '没有记录。',
  severity: (severity) => `严重程度：${severity}`,
  take: '由我处理',
  takenBy: (name) => `由 ${name} 处理`,
  silenced: '维护中：不发送通知',
  eased: (host, { was, is }) => `${host} ${was}，${is}`,
  was: {
    'line-down': '曾中断',
    'line-degraded': '曾部分异常',
    'line-lost': '曾在部分地区或网络无法访问',
  },
  is: { up: '现已恢复正常', degraded: '目前部分异常' },
  lines: (hosts) => `线路：${hosts}`,
  otherLines: (hosts) => `部分异常：${hosts}`,
  wellAgain: (hosts) => `已恢复：${hosts}`,
  next: (what) => `下一步：${what}`,
  onCall: (names) => `当前值班：${names}`,
  timeline: '时间线',
  becoming: (event, what) => `${event}：${what}`,
  channels: '通道',
  channelsNote: '通知对象；在“站点”的“通知”中设置',
  noChannels: '不会通知任何人：site.json 中没有通道。',
  sent: (clock) => `最近一次消息：${clock}`,
  neverSent: '启动以来没有消息',
  waiting: (count) => `${count} 条待发送`,
  failing: (reason) => `无法发送消息：${reason}`,
  test: '发送测试',
  testSent: '测试已发送。',
  testFailed: (reason) => `通道未接受测试：${reason}`,
  problems: {
    'unknown-incident': '此事件已结束。',
    'unknown-channel': '此通道已不存在。',
  },
};

export const INCIDENT_VIEW_TEXTS: InConsoleLanguages<IncidentViewTexts> = {
  en,
  'zh-CN': zhCN,
};

export const useIncidentTexts = createTextsHook(INCIDENT_VIEW_TEXTS);
