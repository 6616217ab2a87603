import type { ConsoleLanguage, InConsoleLanguages } from './console-language.ts';
import { describeFault } from './describe-fault.ts';
import { type Incident, type IncidentKind, type IncidentPart, partsOf } from './incidents.ts';

/** What the server did by itself, and what a person does next. Either may be empty. */
export type Advice = { readonly done: string; readonly next: string };

const NONE = { en: '', 'zh-CN': '' } as const;

/** What the server has done by itself when something of this kind is wrong. */
const DONE: Readonly<Record<IncidentKind, InConsoleLanguages>> = {
  'line-down': {
    en: 'New visitors are not sent there any more',
    'zh-CN': '不再将新访客分配到该线路',
  },
  'line-degraded': {
    en: 'It stays in use, for fewer visitors',
    'zh-CN': '线路仍在使用，但分配的访客减少',
  },
  'line-lost': {
    en: 'Visitors of these places are sent to other lines',
    'zh-CN': '这些范围的访客会被分配到其他线路',
  },
  'line-slow': {
    en: 'It is picked less often where it is slow',
    'zh-CN': '在变慢的范围内，该线路的分配已减少',
  },
  'visitors-lost': {
    en: 'Pages try the backups, too',
    'zh-CN': '页面也会尝试备用线路',
  },
  'visitors-missing': NONE,
  certificate: NONE,
  'site-refused': {
    en: 'Visitors get the last good version',
    'zh-CN': '访客看到的仍是上一个正常版本',
  },
  'store-down': {
    en: 'Visitors are served from memory; what is counted waits',
    'zh-CN': '仍从内存为访客提供服务，计数暂存待写入',
  },
  'reports-refused': { en: 'These reports are not counted', 'zh-CN': '这些上报未计入统计' },
  'unknown-regions': {
    en: 'They get what network.unknownRegion says',
    'zh-CN': '按 network.unknownRegion 的设置处理',
  },
  'portal-cut-off': {
    en: 'It believes what visitors and the other portals see',
    'zh-CN': '改以访客和其他门户的观察为准',
  },
  'channel-failing': {
    en: 'Each message is tried for an hour; the other channels are told',
    'zh-CN': '每条消息会重试一小时，并已通知其他通道',
  },
};

/** What to do if no fault of a line says it better. */
const NEXT: Readonly<Record<IncidentKind, InConsoleLanguages>> = {
  'line-down': {
    en: 'Open the address from another network. If it answers, its host or a carrier blocks it: ask them, or publish another line.',
    'zh-CN': '请从其他网络打开该地址。如果能打开，说明被机房或运营商拦截：请联系对方，或发布其他线路。',
  },
  'line-degraded': {
    en: 'Open the line in the console, and see who fails.',
    'zh-CN': '请在控制台打开该线路，查看哪些访客失败。',
  },
  'line-lost': {
    en: 'A carrier or a country may block it: publish another line for them, or take it from them by a rule.',
    'zh-CN': '可能被运营商或地区封锁：请为其发布其他线路，或用规则不再向其分配。',
  },
  'line-slow': {
    en: 'If it is slow everywhere, look at the load of its server. If only in some places, ask its host about the way there.',
    'zh-CN': '如果各地都慢，请检查服务器负载；如果只是部分范围慢，请向机房咨询到该处的线路。',
  },
  'visitors-lost': {
    en: 'Look at the lines first. If all of them are up, look at what was published last, and take it back.',
    'zh-CN': '请先查看线路。如果全部正常，请检查最近一次发布并回退。',
  },
  'visitors-missing': {
    en: 'Open the portal from another network, and from the named ones. Check its domains, its name servers and its proxies.',
    'zh-CN': '请从其他网络以及所列网络打开门户，并检查其域名、DNS 和代理。',
  },
  certificate: {
    en: 'Renew the certificate, and reload the server of the line.',
    'zh-CN': '请续期证书，并重新加载线路的服务器。',
  },
  'site-refused': {
    en: 'Correct the named place in the site folder, or take the change back.',
    'zh-CN': '请更正站点目录中指出的位置，或撤回更改。',
  },
  'store-down': {
    en: 'Check the disk and the database server. Nothing needs a restart.',
    'zh-CN': '请检查磁盘和数据库服务器。无需重启。',
  },
  'reports-refused': {
    en: 'Mostly an attack or a broken proxy: see the reasons in waypost_reports_total.',
    'zh-CN': '多为攻击或代理异常：原因见 waypost_reports_total。',
  },
  'unknown-regions': {
    en: 'Check network.trustedProxies and the mmdb file.',
    'zh-CN': '请检查 network.trustedProxies 和 mmdb 文件。',
  },
  'portal-cut-off': {
    en: 'Check the network of this machine: its route, its name servers, its firewall.',
    'zh-CN': '请检查本机的网络：路由、DNS 和防火墙。',
  },
  'channel-failing': {
    en: 'Check its secret and its address, then send a test.',
    'zh-CN': '请检查其密钥和地址，然后发送测试。',
  },
};

/** All lines are down: pages are left with the backups. */
const ALL_DOWN: InConsoleLanguages = {
  en: 'Pages use the backups',
  'zh-CN': '页面正在使用备用线路',
};
const SHARED: Readonly<Record<string, InConsoleLanguages<(what: string) => string>>> = {
  port: {
    en: (port) => `Together they are all lines with port ${port}`,
    'zh-CN': (port) => `端口 ${port} 的线路全部受影响`,
  },
  range: {
    en: (range) => `Together they are all lines in the address range ${range}`,
    'zh-CN': (range) => `地址段 ${range} 中的线路全部受影响`,
  },
};

/** Says what was done already, and what to do next. */
export function adviseOn(incident: Incident, language: ConsoleLanguage): Advice {
  const { kind, lineCount } = incident;
  const lines = partsOf(incident).filter((part) => part.kind === 'line-down' && !part.isBackup);
  const areAllDown = lineCount !== undefined && lineCount > 0 && lines.length >= lineCount;
  // A newer portal may know more kinds.
  const done: InConsoleLanguages = areAllDown ? ALL_DOWN : ((DONE as Partial<typeof DONE>)[kind] ?? NONE);
  const next: InConsoleLanguages = (NEXT as Partial<typeof NEXT>)[kind] ?? NONE;
  return {
    // A backup is built into every page, and is never left out.
    done: kind === 'line-down' && lines.length === 0 ? '' : done[language],
    next: findFaultAdvice(partsOf(incident), language) ?? next[language],
  };
}

/** Says what the lines of an incident have in common. Empty if that is nothing. */
export function describeShared(incident: Incident, language: ConsoleLanguage): string {
  const [, kind = '', what = ''] = /^(\w+)\/(.*)$/.exec(incident.shared ?? '') ?? [];
  return SHARED[kind]?.[language](what) ?? '';
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
