import type { AdviceTexts, DetailOf, DetailTexts, IncidentTexts } from './en.ts';
import { writeDay } from '../write-day.ts';

export const incidents: IncidentTexts = {
  kinds: {
    'line-down': (line) => `${line} 对所有访客中断`,
    'line-degraded': (line) => `${line} 部分异常`,
    'line-lost': (line) => `部分网络的访客无法访问 ${line}`,
    'line-slow': (line) => `${line} 变慢`,
    'visitors-lost': () => '过多访客无法进入任何线路',
    'visitors-missing': () => '访客数量远低于平时',
    certificate: (line) => `${line} 的证书即将到期`,
    'site-refused': () => '站点更改被拒绝',
    'store-down': (store) => (store === 'the database' ? '数据库不可用' : '数据目录不可用'),
    'reports-refused': () => '大量测速上报被拒绝',
    'unknown-regions': () => '大量访客的地区未知',
    'portal-cut-off': (portal) => `门户 ${portal} 无法访问任何线路`,
    'channel-failing': (channel) => `通道 ${channel} 无法发送消息`,
  },
  over: {
    'line-down': (line) => `${line} 已恢复正常`,
    'line-degraded': (line) => `${line} 已恢复正常`,
    'line-lost': (line) => `访客已能访问 ${line}`,
    'line-slow': (line) => `${line} 的速度已恢复`,
    'visitors-lost': () => '访客已能正常进入',
    'visitors-missing': () => '访客数量已恢复平时水平',
    certificate: (line) => `${line} 已更换证书`,
    'site-refused': () => '站点目录已恢复正常',
    'store-down': (store) => (store === 'the database' ? '数据库已恢复' : '数据目录已恢复'),
    'reports-refused': () => '测速上报已恢复正常',
    'unknown-regions': () => '访客地区已可识别',
    'portal-cut-off': (portal) => `门户 ${portal} 已能访问线路`,
    'channel-failing': (channel) => `通道 ${channel} 已能发送消息`,
  },
  several: ({ kind, lines, of, backups }) => {
    const count = [lines > 0 && `${lines} 条线路（共 ${of} 条）`, backups > 0 && `${backups} 条备用`]
      .filter(Boolean)
      .join('和 ');
    if (kind === 'certificate') return `${count}的证书即将到期`;
    if (kind === 'line-lost') return `部分网络的访客无法访问 ${count}`;
    if (kind === 'line-slow') return `${count}变慢`;
    return kind === 'line-down' ? `${count}对所有访客中断` : `${count}部分异常`;
  },
  severalOver: ({ kind, lines, backups }) => {
    const count = `${lines + backups} 条线路`;
    if (kind === 'certificate') return `${count}均已更换证书`;
    if (kind === 'line-lost') return `访客已能访问全部 ${count}`;
    if (kind === 'line-slow') return `${count}的速度均已恢复`;
    return `${count}均已恢复正常`;
  },
  certificateEnded: (line) => `${line} 的证书已到期`,
  nobody: (isEverybody) => (isEverybody ? '所有访客都无法进入' : '大多数访客无法进入任何线路'),
  severities: { low: '低', medium: '中', high: '高', critical: '紧急' },
  channels: {
    webhook: 'Webhook',
    telegram: 'Telegram',
    slack: 'Slack',
    discord: 'Discord',
    teams: 'Microsoft Teams',
    pagerduty: 'PagerDuty',
    mail: '邮件',
    feishu: '飞书 / Lark',
    dingtalk: '钉钉',
    wecom: '企业微信',
  },
  events: {
    opened: '发现',
    changed: '恶化',
    eased: '好转',
    grew: '新增受影响',
    shrank: '已恢复：',
    joined: '并入另一事件：',
    returned: '再次出现',
    closed: '结束',
    taken: '处理人',
    told: '已通知',
    'not-told': '无法通知',
  },
  places: (names) => `范围：${names}`,
  visitors: (count) => `受影响访客：${count}`,
};

/** A newer portal may send kinds that are not in this table. */
const NOT_REACHED: Readonly<Partial<Record<string, string>>> = {
  visitors: '访客无法连通',
  'some-visitors': '多个网络中有部分访客无法连通',
  // The places are named beside it.
  'visitors-and-some-elsewhere': '所列范围的访客无法连通，其他网络中也有部分访客无法连通',
} satisfies Record<DetailOf<'not-reached'>['by'], string>;

export const details: DetailTexts = {
  semicolon: '；',
  'not-reached': ({ by }) => NOT_REACHED[by] ?? 'not-reached',
  slow: ({ times }) => `访客的用时是之前的 ${times.toFixed(1)} 倍，而其他线路没有变化`,
  'cut-off': '无法连接任何线路和备用线路：本门户可能已断网，或线路已全部中断',
  'certificate-ends': ({ at, hasEnded }) => `证书${hasEnded ? '已' : '将'}于 ${writeDay(at)} 到期`,
  'visitors-stranded': ({ percent, allowedPercent, minutes }) =>
    `最近 ${minutes} 分钟内，${writePercent(percent)} 的访客无法进入任何线路（允许 ${writePercent(allowedPercent)}）`,
  'visitors-missing': ({ percent, minutes }) =>
    `最近 ${minutes} 分钟的访客只有往常同一时段的 ${writePercent(percent)}`,
  store: ({ store }) => (store === 'database' ? '数据库没有响应：各门户各自运行' : '数据目录无法写入'),
  'reports-refused': ({ reports, minutes }) =>
    `最近 ${minutes} 分钟内有 ${reports} 份上报被拒绝，多于被接受的`,
  'regions-unknown': ({ percent, minutes }) =>
    `最近 ${minutes} 分钟内，${writePercent(percent)} 的访客地区未知`,
  'channel-late': ({ host, seconds }) =>
    host === undefined ? `${seconds} 秒内没有应答` : `${host}：${seconds} 秒内没有应答`,
  'channel-unreachable': ({ host, code }) =>
    code === undefined ? `无法连接 ${host}` : `无法连接 ${host}（${code}）`,
  'channel-status': ({ host, status }) => `${host} 应答状态码为 ${status}`,
  'channel-private': ({ host }) => `${host} 是本机或私有网络的地址，设置 WAYPOST_PRIVATE_ALERTS=on 后才允许`,
  'channel-secret-missing': ({ place, name }) =>
    place === 'variable' ? `变量 ${name} 未设置` : `文件 secrets/${name} 不存在或为空`,
  'channel-secret-wrong': '其密钥不是机器人的令牌，例如 123456:ABC-DEF',
  'channel-url-wrong': '变量或文件中的内容不是 Webhook 地址，例如 https://…',
  'channel-refused': ({ host = 'Telegram', reason }) => `${host} 拒绝了消息：${reason}`,
  test: '这只是一条测试消息',
};

export const advice: AdviceTexts = {
  done: {
    'line-down': '不再将新访客分配到该线路',
    'line-degraded': '线路仍在使用，但分配的访客减少',
    'line-lost': '这些范围的访客会被分配到其他线路',
    'line-slow': '在变慢的范围内，该线路的分配已减少',
    'visitors-lost': '页面也会尝试备用线路',
    'visitors-missing': '',
    certificate: '',
    'site-refused': '访客看到的仍是上一个正常版本',
    'store-down': '仍从内存为访客提供服务，计数暂存待写入',
    'reports-refused': '这些上报未计入统计',
    'unknown-regions': '按 network.unknownRegion 的设置处理',
    'portal-cut-off': '改以访客和其他门户的观察为准',
    'channel-failing': '每条消息会重试一小时，并已通知其他通道',
  },
  next: {
    'line-down': '请从其他网络打开该地址。如果能打开，说明被机房或运营商拦截：请联系对方，或发布其他线路。',
    'line-degraded': '请在控制台打开该线路，查看哪些访客失败。',
    'line-lost': '可能被运营商或地区封锁：请为其发布其他线路，或用规则不再向其分配。',
    'line-slow': '如果各地都慢，请检查服务器负载；如果只是部分范围慢，请向机房咨询到该处的线路。',
    'visitors-lost': '请先查看线路。如果全部正常，请检查最近一次发布并回退。',
    'visitors-missing': '请从其他网络以及所列网络打开门户，并检查其域名、DNS 和代理。',
    certificate: '请续期证书，并重新加载线路的服务器。',
    'site-refused': '请更正站点目录中指出的位置，或撤回更改。',
    'store-down': '请检查磁盘和数据库服务器。无需重启。',
    'reports-refused': '多为攻击或代理异常：原因见 waypost_reports_total。',
    'unknown-regions': '请检查 network.trustedProxies 和 mmdb 文件。',
    'portal-cut-off': '请检查本机的网络：路由、DNS 和防火墙。',
    'channel-failing': '请检查其密钥和地址，然后发送测试。',
  },
  allDown: '页面正在使用备用线路',
  shared: {
    port: (port) => `端口 ${port} 的线路全部受影响`,
    range: (range) => `地址段 ${range} 中的线路全部受影响`,
  },
};

function writePercent(percent: number): string {
  return `${percent.toFixed(1)}%`;
}
