import type { InConsoleLanguages } from '../../contract/console-language.ts';
import type { ReplayState } from '../../contract/intake-message.ts';
import type { SessionMarks } from '../../contract/recordings.ts';
import { useLocale } from '../locale/locale.ts';
import type { HappeningKind } from './happenings.ts';

/** The texts of the views of sessions. They are loaded with them. */
export const en = {
  sessions: 'Sessions',
  sessionsNote: 'what visitors did on the landing page, newest first',
  parts: 'Recordings',
  errors: 'Errors',
  errorsNote: 'errors of the pages, grouped by message and place',
  more: 'Show earlier sessions',
  none: 'No session was recorded yet. Open the landing page once: the visit is listed here when it has ended.',
  noMatch: 'No session matches these filters.',
  clear: 'Show all sessions',
  off: 'Nothing is recorded: the portal keeps no recordings.',
  fault: (reason: string) => `The recordings cannot be written: ${reason}`,
  room: (sessions: string, bytes: string) => `Sessions kept: ${sessions}, in ${bytes}`,
  legend: 'What the strip shows',
  started: 'Started',
  visitor: 'Visitor',
  happened: 'What happened',
  noted: 'Marks',

  filters: 'Filters',
  only: 'Only sessions that',
  onlyMarks: { error: 'had an error', stuck: 'could not get in', slow: 'were slow' } satisfies Record<
    keyof SessionMarks,
    string
  >,
  onlyNote: 'Slow: the largest content came after 2.5 s, or a line was entered later than 5 s.',
  chosen: 'Shown are only sessions with all of these:',
  chosenFilter: (name: string, value: string) => `${name}: ${value}`,
  dropFilter: (filter: string) => `Remove the filter “${filter}”`,
  example: (value: string) => `such as ${value}`,
  marks: { error: 'Error', stuck: 'Could not get in', slow: 'Slow' } satisfies Record<
    keyof SessionMarks,
    string
  >,
  replay: 'Replay',
  device: 'Device',
  devices: { mobile: 'Phone', pc: 'Desktop' },
  language: 'Language',
  country: 'Country',
  network: 'Network',
  line: 'Line entered',
  day: 'Day (UTC)',
  any: 'Any',
  lasted: (span: string) => `lasted ${span}`,
  notEntered: 'No line was entered.',
  enteredLine: (host: string, time: string) => `Entered ${host} (${time})`,
  happenings: {
    opened: 'opened',
    'first-row': 'first row',
    entered: 'entered',
    error: 'error',
    click: 'click',
  } satisfies Record<HappeningKind, string>,
  errorWas: (message: string) => `error: ${message}`,
  after: (what: string, span: string) => `${what} after ${span}`,

  back: 'All sessions',
  session: 'Session',
  unknown: 'This session is not kept any more, or has not loaded.',
  copyLink: 'Copy link',
  erase: 'Erase',
  eraseSure: 'Erase this session?',
  eraseNote: 'Its records and replays are deleted from the disk at once. This cannot be undone.',
  view: (number: string) => `View ${number}`,
  reached: (reached: string, failed: string) => `Lines reached: ${reached}, failed: ${failed}`,
  paint: (time: string) => `Largest content painted: ${time}`,
  stack: 'Stack',
  replayStates: {
    starting: 'There is no replay: the page was left before the recorder had started.',
    recording: 'No part of the replay has arrived.',
    'not-sampled': 'There is no replay: this session was not drawn for one (monitoring.replayPercent).',
    'worker-timeout': 'There is no replay: the worker that packs it did not start within 10 s.',
    failed: 'There is no replay: the recorder could not be loaded, or broke.',
    unsupported: 'There is no replay: the browser cannot compress.',
  } satisfies Record<ReplayState, string>,

  openReplay: 'Watch the replay',
  player: 'Replay of the page',
  play: 'Play',
  playAgain: 'Play again',
  pause: 'Pause',
  speed: 'Speed',
  skipIdle: 'Skip idle time',
  position: 'Position',
  positionOf: (at: string, total: string) => `${at} of ${total}`,
  jumps: 'Moments',
  lost: (count: string, all: string) =>
    `${count} of ${all} parts of this replay are missing: the picture may be incomplete.`,
  noEnd:
    'The end of this replay is missing, up to 30 s: the page is still open, or the browser or the system ended it before it could send the rest.',
  presentImages:
    'Some images are shown as they are now: the portal has not kept them as they were then. With --edit, it keeps the images of each version.',
  playerFailed: 'The replay could not be shown.',

  noErrors: 'Errors of the pages will be grouped here. None was reported.',
  times: (times: string, sessions: string) =>
    `${times} ${times === '1' ? 'time' : 'times'} in ${sessions} ${sessions === '1' ? 'session' : 'sessions'}`,
  between: (first: string, last: string) => `from ${first} to ${last}`,
  watch: 'See the newest session with it',
};

export type SessionTexts = typeof en;

export const zhCN: SessionTexts = {
  sessions: '访客会话',
  sessionsNote: '访客在落地页上的操作，最新的在前',
  parts: '录像',
  errors: '页面错误',
  errorsNote: '信息和位置相同的错误合并显示',
  more: '显示更早的会话',
  none: '还没有录制任何会话。打开一次落地页，访问结束后会列在这里。',
  noMatch: '没有符合筛选条件的会话。',
  clear: '显示全部会话',
  off: '没有录像：此门户不保存录像。',
  fault: (reason) => `录像无法写入：${reason}`,
  room: (sessions, bytes) => `已保存 ${sessions} 个会话，占用 ${bytes}`,
  legend: '图例',
  started: '开始时间',
  visitor: '访客',
  happened: '经过',
  noted: '标记',

  filters: '筛选',
  only: '仅显示以下会话',
  onlyMarks: { error: '有错误', stuck: '未能进入', slow: '较慢' },
  onlyNote: '较慢：最大内容绘制晚于 2.5 秒，或打开 5 秒后才进入线路。',
  chosen: '仅显示同时符合以下条件的会话：',
  chosenFilter: (name, value) => `${name}：${value}`,
  dropFilter: (filter) => `移除筛选条件“${filter}”`,
  example: (value) => `例如 ${value}`,
  marks: { error: '有错误', stuck: '未能进入', slow: '较慢' },
  replay: '有回放',
  device: '设备',
  devices: { mobile: '手机', pc: '电脑' },
  language: '语言',
  country: '国家或地区',
  network: '网络',
  line: '进入的线路',
  day: '日期（UTC）',
  any: '不限',
  lasted: (span) => `历时 ${span}`,
  notEntered: '没有进入任何线路。',
  enteredLine: (host, time) => `进入 ${host}（${time}）`,
  happenings: {
    opened: '打开页面',
    'first-row': '首条测速结果',
    entered: '进入线路',
    error: '错误',
    click: '点击',
  },
  errorWas: (message) => `错误：${message}`,
  after: (what, span) => `${what}：${span} 后`,

  back: '全部会话',
  session: '会话',
  unknown: '此会话已不再保存，或尚未加载。',
  copyLink: '复制链接',
  erase: '删除',
  eraseSure: '要删除此会话吗？',
  eraseNote: '它的记录和回放会立即从磁盘删除，且无法恢复。',
  view: (number) => `第 ${number} 次打开`,
  reached: (reached, failed) => `连通线路：${reached}，失败：${failed}`,
  paint: (time) => `最大内容绘制：${time}`,
  stack: '调用栈',
  replayStates: {
    starting: '没有回放：录制程序启动之前，页面已被关闭。',
    recording: '尚未收到回放内容。',
    'not-sampled': '没有回放：此会话未被抽中（monitoring.replayPercent）。',
    'worker-timeout': '没有回放：压缩程序未能在 10 秒内启动。',
    failed: '没有回放：录制程序无法加载或已中断。',
    unsupported: '没有回放：浏览器不支持压缩。',
  },

  openReplay: '观看回放',
  player: '页面回放',
  play: '播放',
  playAgain: '重新播放',
  pause: '暂停',
  speed: '速度',
  skipIdle: '跳过空闲时间',
  position: '播放位置',
  positionOf: (at, total) => `${at} / ${total}`,
  jumps: '关键时刻',
  lost: (count, all) => `此回放共 ${all} 段，缺少 ${count} 段：画面可能不完整。`,
  noEnd: '此回放缺少结尾，最多 30 秒：页面可能仍然打开，或在发送剩余内容之前被浏览器或系统结束。',
  presentImages:
    '部分图片显示的是现在的样子：门户没有保存当时的图片。使用 --edit 启动时，会随保留的版本一起保存。',
  playerFailed: '无法显示回放。',

  noErrors: '页面错误会在这里归组显示，目前没有报告。',
  times: (times, sessions) => `${times} 次，涉及 ${sessions} 个会话`,
  between: (first, last) => `${first} 至 ${last}`,
  watch: '查看最近一个相关会话',
};

const TEXTS: InConsoleLanguages<SessionTexts> = { en, 'zh-CN': zhCN };

export function useSessionTexts(): SessionTexts {
  return TEXTS[useLocale().language];
}
