import { describeFault } from '../../contract/line/describe-fault.ts';
import type { Texts, TroubleFacts } from './en.ts';

export const zhCN: Texts = {
  status: { up: '正常', degraded: '部分异常', down: '中断', unknown: '无数据', maintenance: '维护中' },

  console: '控制台',
  skip: '跳到主要内容',
  views: '视图',
  overview: '概览',
  where: '故障分布',
  why: '为何是这四条',
  incidents: '事件',
  history: '历史',
  sessions: '访客会话',
  desk: '站点',
  account: '账户',
  people: '人员',
  audit: '审计',
  signedInAs: '当前登录：',
  actor: (name) => ACTORS.get(name) ?? name,
  roles: { viewer: '查看者', editor: '编辑者', owner: '所有者' },
  logOut: '退出登录',
  consoleSettings: '控制台设置',
  connecting: '正在连接…',
  live: '实时',
  paused: '已暂停',
  lost: (clock) => `连接于 ${clock} 断开，正在重试…`,
  language: '语言',
  zone: '时区',
  theme: '配色',
  themes: { system: '跟随系统', light: '浅色', dark: '深色' },
  loading: '加载中…',
  viewFailed: '加载失败。如果是门户没有应答，5 秒后将自动重试。',
  viewBroken: '无法加载此视图：门户没有应答，或在打开控制台之后已经升级。',
  reload: '重新加载',
  cancel: '取消',
  copy: '复制',
  copied: '已复制',
  copyFailed: '浏览器不允许复制，请手动复制。',
  lastHour: '最近一小时',
  asTable: '以表格显示',
  turnOn: '如需启用，请在 site.json 中写入：',
  openDesk: { settings: '打开设置', alerts: '设置通知' },

  title: 'Waypost 控制台',
  titleDown: (count) => `${count} 条中断 · Waypost 控制台`,
  titleCutOff: '无法连接线路 · Waypost 控制台',
  titleRefused: '变更被拒 · Waypost 控制台',
  titleDegraded: (count) => `${count} 条异常 · Waypost 控制台`,
  cutOff: '本门户无法连接任何线路。',
  cutOffHint: {
    replicas: '其探测结果不计入，线路状态依据其他实例的探测。',
    visitors: '本门户可能已断网，或线路已全部中断。其探测结果不计入，线路状态仅依据访客的上报。',
  },
  allWell: '所有线路均正常。',
  published: (version, clock) => `站点版本 ${version} 已于 ${clock} 上线。`,
  noneDown: '目前没有已知的线路中断。',
  linesUnknown: (count) => `其中 ${count} 条线路的数据不足。`,
  nothingYet: '尚未统计到任何访客。',
  nothingYetHint: '请打开一次落地页，约十秒后即有数据。',
  trouble: {
    line: (facts) => describeTrouble(facts, '线路'),
    backup: (facts) => describeTrouble(facts, '备用线路'),
  },
  siteMaintenance: (clock) =>
    `站点维护中${clock === undefined ? '' : `，至 ${clock} 结束`}，期间不发送任何通知。`,
  siteClosed: (clock) =>
    `站点维护中，已停止服务${clock === undefined ? '' : `，至 ${clock} 结束`}：访客只看到维护提示，不分配线路，期间不发送任何通知。`,
  maintenanceNote: (reason, clock) => (clock === undefined ? reason : `至 ${clock}：${reason}`),
  incidentSince: (name, clock) => `${name}，自 ${clock} 起。`,
  seeIncidents: '查看事件',
  changeRefused: (clock) => `站点目录最近一次变更于 ${clock} 被拒绝。`,
  seeSiteFolder: '门户仍使用之前的版本，原因见“站点目录”。',

  visitors: '访客',
  campaigns: '推广',
  visitorsNote: (limited) => `请求过线路的访客；因超出限额被拒绝的请求：${limited}`,
  gotIn: '进入线路',
  noReports: '尚无测速上报',
  gotInNote: (entered, reports) => `各页面共 ${reports} 次上报，其中 ${entered} 次进入`,
  timeToEnter: '进入延迟',
  nobodyEntered: '尚无访客进入',
  enteredUntimed: '进入的访客均沿用了最近 10 秒内的测速结果，没有新的数据',
  timeToEnterNote: (p95) => `中位数；95% 的访客在 ${p95} 以内`,
  lines: '线路',
  lineStates: '线路状态',
  backups: (counts) =>
    `备用：${counts.map(({ status, count }) => `${count} 条${zhCN.status[status]}`).join('，')}`,
  linesUp: (up, all) => `${all} 条中 ${up} 条正常`,
  leastAndMost: (least, most) => `最低 ${least}，最高 ${most}`,
  now: '现在',
  pictureLater: '首位访客到来两分钟后显示曲线。',
  notWatching: '服务器没有开启对线路的自身探测。',
  sparkline: (what) => `${what}，最近一小时逐分钟`,

  replicas: '实例',
  thisReplica: '本实例',
  replicaNote: (hash, clock) => `站点 ${hash}，启动于 ${clock}`,
  otherSite: '所用站点版本与本门户不同',
  gone: (clock) => `自 ${clock} 起失联`,
  storeUp: { sqlite: '数据库位于本门户的数据目录中', postgres: 'PostgreSQL 连接正常' },
  storeDown: (clock) =>
    `自 ${clock} 起数据库不可用。访客服务照常；期间无法更改任何内容，此页仅显示本门户掌握的数据。`,
  storeRewound: (clock) =>
    `数据库的历史于 ${clock} 发生回退：数据库被恢复过，或由备用服务器接管。此前不久的更改可能已丢失。`,
  replicaCutOff: '无法连接任何线路，其探测结果不计入',
  site: '站点目录',
  siteHash: (hash) => `内容 ${hash}`,
  liveSince: (version, clock) => `本服务器的第 ${version} 版，自 ${clock} 起生效`,
  refused: (clock) => `${clock} 的变更被拒绝`,
  refusedNote: '门户仍使用之前的版本。请修正站点目录，服务器会自动重新读取。',
  corrected: (refused, corrected) => `曾有变更于 ${refused} 被拒绝，后续变更已于 ${corrected} 生效。`,
  neverRefused: '启动以来没有变更被拒绝。',

  filter: '筛选线路',
  filterHint: '主机名包含…',
  allStates: '全部状态',
  inTrouble: '有问题的',
  noMatch: '没有符合条件的线路。',
  clearFilter: '显示全部线路',
  line: '线路',
  state: '状态',
  since: '开始时间',
  handedOut: '分配',
  tried: '尝试',
  moved: '转出访客',
  reached: '连通率',
  hour: '最近一小时',
  networks: '故障网络',
  networksCount: (_, shown) => `${shown} 个`,
  backup: '备用',
  rules: {
    drain: '停止分配：新访客不会分到',
    countries: '并非对所有地区开放',
    networks: '并非对所有网络开放',
  },
  notForAll: '未向所有访客分配（图中标记为 ○）：',
  marked: (host, marks) => `${host}（${marks}）`,
  nobodyTold: '出现事件时无人会收到通知：没有规则向任何通道发送消息。',
  setUpAlerts: '设置告警',
  judgedBy: {
    probe: '依据服务器自身的探测',
    visitors: '依据访客的实际情况',
    replicas: '依据多数实例的探测',
  },
  lostIn: (_, shown) => `${shown} 个网络的访客无法连通。`,
  doubted: '本门户无法连接任何线路，且此线路的访客上报太少。',
  replace: '替换',
  planMaintenance: '计划维护',
  replaceLine: (host) => `替换 ${host}`,
  linesNote:
    '均为最近一小时的数据。中位数：连通的访客中有一半在此时间内得到应答；95% 以内：其中 95% 在此时间内。',
  strip: (host, troubles) =>
    `${host}，最近 60 分钟：${
      troubles.length === 0
        ? '没有异常或中断'
        : troubles
            .map(({ status, clock, minutes }) => `${clock} 起${zhCN.status[status]} ${minutes} 分钟`)
            .join('，')
    }`,
  stripMinute: (clock, status, reached) => `${clock} · ${status} · 连通率 ${reached}`,
  stripNote: '每格一分钟，共 60 分钟，最右为现在',

  back: '全部线路',
  unknownLine: '此线路已不在站点中，或加载失败。',
  sinceClock: (clock) => `自 ${clock} 起`,
  sinceJudged: (clock, judgedBy) => `自 ${clock} 起，${judgedBy}`,
  span: '显示时段',
  spans: { '1h': '1 小时', '6h': '6 小时', '24h': '24 小时' },
  spanFrom: (clock) => `自 ${clock} 起`,
  longerSpans: '7 天及更长',
  happenings: '发生了什么',
  happeningsNote: '图中着色的时段和虚线',
  nothingHappened: '此时段内，此线路没有异常、中断或维护，也无人更改。',
  bandFor: (clock, duration) => `自 ${clock} 起，持续 ${duration}`,
  versionOfSite: (number) => `版本 ${number}`,
  changedBy: (clock, by) => (by === '' ? `于 ${clock} 更改了此线路` : `由 ${by} 于 ${clock} 更改了此线路`),
  reachedChartNote: '连通此线路的访客占比',
  timeChart: '应答延迟',
  timeChartNote: '仅计连通的访客',
  shareChartNote: '分配到此线路的访客占比',
  chart: (title, lastValues) => `${title}。${lastValues}`,
  noHistory: '此时段没有访客测试过此线路；有访客测速后显示图表。',
  median: '中位数',
  within95: '95% 以内',
  ownProbe: '服务器自身的探测',
  noProbe: '服务器尚未探测此线路：刚刚启动，或 WAYPOST_WATCH_LINES 已关闭。',
  probeUp: (ms, ports) =>
    ports === 1 ? `应答正常，用时 ${ms}。` : `全部 ${ports} 个端口应答正常，用时 ${ms}。`,
  fault: ({ fault, ports }) => {
    const { problem, advice } = describeFault(fault, 'zh-CN');
    const where = ports.length === 0 ? '' : `端口 ${ports.join('、')}：`;
    return { problem: `${where}${problem}。`, advice };
  },
  probeCutOff: '本门户无法连接任何线路，此结果不计入。',
  probed: (clock) => `探测于 ${clock}。`,
  certificate: (_, shown) => `证书：剩余 ${shown} 天。`,
  certificateFault: (code) => `证书：${code}。`,
  noCertificate: '没有证书：此线路使用明文 http。',
  stay: (version) => `线路中断时访客会转到其他线路：stay.js ${version}。`,
  noStay: '未安装 stay.js：线路中断时访客会掉线。',
  worstNetworks: '最差的网络',
  noNetworks: '尚无任何网络的数据。',
  noWorstNetworks: '有访客测试过此线路后，表现最差的网络会列在这里。',
  network: '网络',
  anyOtherNetwork: '其他网络',
  ofTries: (part, tries) => `连通率 ${part}，约 ${tries} 次尝试`,
  ofTimedTries: (part, tries, time) => `连通率 ${part}，约 ${tries} 次尝试，${time}`,
  failsSince: (clock) => `自 ${clock} 起故障`,

  cell: { none: '无数据', good: '连通', poor: '连通率不足 90%', failing: '故障' },
  openLine: '查看此线路',
};

/** Who acts where it is no person. No person can have these names (`contract/people.ts`). */
const ACTORS: ReadonlyMap<string, string> = new Map([
  ['loopback', '本机'],
  ['command line', '命令行'],
  ['unknown name', '未知名称'],
]);

function describeTrouble({ host, status, clock, count, shownCount }: TroubleFacts, noun: string): string {
  const state = zhCN.status[status];
  const since = clock === undefined ? '' : `自 ${clock} 起`;
  if (host === undefined) return `${shownCount} 条${noun}${state}。`;
  if (count > 1)
    return `${shownCount} 条${noun}${state}，最早的是 ${host}${since === '' ? '' : `，${since}`}。`;
  return `${noun} ${host} ${since}${state}。`;
}
