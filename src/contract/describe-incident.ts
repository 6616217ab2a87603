import type { ConsoleLanguage, InConsoleLanguages } from './console-language.ts';
import { writeRange } from './write-range.ts';
import {
  type Incident,
  type IncidentEventKind,
  type IncidentKind,
  type IncidentPart,
  type Severity,
  findLineId,
} from './incidents.ts';

/** The words for incidents, for messages and for the console. */
type IncidentTexts = {
  /** What is wrong. */
  readonly kinds: Readonly<Record<IncidentKind, (subject: string) => string>>;
  /** What is well again. */
  readonly over: Readonly<Record<IncidentKind, (subject: string) => string>>;
  readonly several: (lines: SeveralLines) => string;
  readonly severalOver: (lines: SeveralLines) => string;
  readonly certificateEnded: (subject: string) => string;
  readonly nobody: (isEverybody: boolean) => string;
  readonly severities: Readonly<Record<Severity, string>>;
  readonly events: Readonly<Record<IncidentEventKind, string>>;
  readonly places: (names: string) => string;
  readonly ports: (ports: string) => string;
  readonly visitors: (count: number) => string;
};

/** Several lines that are wrong together. */
type SeveralLines = {
  readonly kind: IncidentKind;
  readonly lines: number;
  /** How many lines the site has. */
  readonly of: number;
  readonly backups: number;
};

const EN: IncidentTexts = {
  kinds: {
    'line-down': (line) => `${line} is down for everyone`,
    'line-degraded': (line) => `${line} works only in part`,
    'line-lost': (line) => `Visitors of some networks do not reach ${line}`,
    'line-slow': (line) => `${line} is slow`,
    'visitors-lost': () => 'Too many visitors reach no line',
    'visitors-missing': () => 'Far fewer visitors come than usual',
    certificate: (line) => `The certificate of ${line} ends soon`,
    'site-refused': () => 'A change of the site was refused',
    'store-down': (store) => `${store} is unusable`,
    'reports-refused': () => 'Many reports are refused',
    'unknown-regions': () => 'The region of many callers is unknown',
    'portal-cut-off': (portal) => `The portal ${portal} reaches no line`,
    'channel-failing': (channel) => `The channel ${channel} takes no messages`,
  },
  over: {
    'line-down': (line) => `${line} is up again`,
    'line-degraded': (line) => `${line} works again`,
    'line-lost': (line) => `Visitors reach ${line} again`,
    'line-slow': (line) => `${line} is as fast as before`,
    'visitors-lost': () => 'Visitors get in again',
    'visitors-missing': () => 'As many visitors come as usual',
    certificate: (line) => `${line} has a new certificate`,
    'site-refused': () => 'The site folder can be served again',
    'store-down': (store) => `${store} is usable again`,
    'reports-refused': () => 'Reports are taken again',
    'unknown-regions': () => 'The regions of callers are known again',
    'portal-cut-off': (portal) => `The portal ${portal} reaches lines again`,
    'channel-failing': (channel) => `The channel ${channel} takes messages again`,
  },
  several: ({ kind, lines, of, backups }) => {
    const count = [
      lines > 0 && `${lines} of ${of} lines`,
      backups > 0 && `${backups} backup${backups > 1 ? 's' : ''}`,
    ]
      .filter(Boolean)
      .join(' and ');
    if (kind === 'certificate') return `The certificate of ${count} ends soon`;
    if (kind === 'line-lost') return `Visitors of some networks do not reach ${count}`;
    const [verb, only] = lines + backups > 1 ? ['are', 'work'] : ['is', 'works'];
    if (kind === 'line-slow') return `${count} ${verb} slow`;
    return kind === 'line-down' ? `${count} ${verb} down for everyone` : `${count} ${only} only in part`;
  },
  severalOver: ({ kind, lines, backups }) => {
    const count = lines + backups;
    if (kind === 'certificate') return `All ${count} lines have a new certificate`;
    if (kind === 'line-lost') return `Visitors reach all ${count} lines again`;
    if (kind === 'line-slow') return `All ${count} lines are as fast as before`;
    return `All ${count} lines are up again`;
  },
  certificateEnded: (line) => `The certificate of ${line} has ended`,
  nobody: (isEverybody) => (isEverybody ? 'NOBODY GETS IN' : 'Most visitors get in nowhere'),
  severities: { low: 'low', medium: 'medium', high: 'high', critical: 'critical' },
  events: {
    opened: 'noticed',
    changed: 'got worse',
    eased: 'eased',
    grew: 'also affects',
    shrank: 'well again:',
    joined: 'is part of another incident:',
    returned: 'came back',
    closed: 'over',
    taken: 'taken by',
    told: 'told',
    'not-told': 'could not be told',
  },
  places: (names) => `In: ${names}`,
  ports: (ports) => `At port ${ports}`,
  visitors: (count) => `Visitors affected: ${count}`,
};

const ZH_CN: IncidentTexts = {
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
  ports: (ports) => `端口：${ports}`,
  visitors: (count) => `受影响访客：${count}`,
};

export const INCIDENT_TEXTS: InConsoleLanguages<IncidentTexts> = { en: EN, 'zh-CN': ZH_CN };

/** From this percentage on, nobody gets in: some visitors always come through a proxy or see an old page. */
const NEARLY_ALL_PERCENT = 90;

type Named = Pick<Incident, 'kind' | 'subject'> &
  Partial<Pick<Incident, 'severity' | 'detail' | 'parts' | 'lineCount' | 'endedAt'>>;

/** Names an incident: what is wrong, with what, and for whom. */
export function nameIncident(incident: Named, language: ConsoleLanguage): string {
  const { kind, severity, detail } = incident;
  const texts = INCIDENT_TEXTS[language];
  if (kind === 'visitors-lost' && severity === 'critical')
    return texts.nobody(detail?.kind !== 'visitors-stranded' || detail.percent >= NEARLY_ALL_PERCENT);
  // Other lines of the incident may have a lesser trouble: they are named beside it.
  const isSaid = (part: IncidentPart): boolean =>
    part.kind === kind && (part.endedAt === null || incident.endedAt !== null);
  const several = countLines(incident, isSaid);
  if (several !== undefined) return texts.several(several);
  const subject = incident.parts?.find(isSaid)?.subject ?? incident.subject;
  if (detail?.kind === 'certificate-ends' && detail.hasEnded) return texts.certificateEnded(subject);
  const kinds: Readonly<Record<string, (subject: string) => string>> = texts.kinds;
  // A newer portal that shares the database of this one may know more kinds.
  return kinds[kind]?.(subject) ?? `${kind} ${subject}`;
}

/** Names the end of an incident: what is well again. */
export function nameEnd(incident: Named, language: ConsoleLanguage): string {
  const { kind, subject } = incident;
  const texts = INCIDENT_TEXTS[language];
  const several = kind === 'visitors-lost' ? undefined : countLines(incident, () => true);
  if (several !== undefined) return texts.severalOver(several);
  const over: Readonly<Record<string, (subject: string) => string>> = texts.over;
  return over[kind]?.(subject) ?? `${kind} ${subject}`;
}

/** Counts the lines of an incident about several. Undefined if it is about one thing. */
function countLines(
  { kind, parts, lineCount }: Named,
  isCounted: (part: IncidentPart) => boolean,
): SeveralLines | undefined {
  const counted = (parts ?? []).filter((part) => findLineId(part.cause) !== undefined && isCounted(part));
  if (parts === undefined || counted.length === 0 || parts.length < 2) return undefined;
  const backups = counted.filter(({ isBackup }) => isBackup).length;
  const lines = counted.length - backups;
  return { kind, lines, of: Math.max(lineCount ?? 0, lines), backups };
}

/** If more networks of a country than this are affected, the country is named instead. */
const MAX_NETWORKS_OF_COUNTRY = 3;

/** Names where an incident is: countries and networks, such as `GB, DE/AS64500, 198.51.0.0/16`, or ports. */
export function namePlaces({ affected }: Pick<Incident, 'affected'>): readonly string[] {
  const places = affected.map(readPlace);
  const names = places.map(({ country, network }) => {
    if (country === '') return network;
    const ofCountry = places.filter((place) => place.country === country);
    const isWhole = network === '' || ofCountry.length > MAX_NETWORKS_OF_COUNTRY;
    return isWhole ? country : `${country}/${network}`;
  });
  return [...new Set(names)];
}

/** Reads `DE/AS64500`, where either part may be empty. A port has no country. */
function readPlace(place: string): { readonly country: string; readonly network: string } {
  const slash = place.indexOf('/');
  if (slash === -1) return { country: '', network: place };
  return { country: place.slice(0, slash), network: writeRange(place.slice(slash + 1)) };
}
