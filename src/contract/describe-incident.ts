import type { ConsoleLanguage, InConsoleLanguages } from './console-language.ts';
import { writeRange } from './write-range.ts';
import type { Incident, IncidentEventKind, IncidentKind, Severity } from './incidents.ts';

/** The words for incidents, for messages and for the console. */
type IncidentTexts = {
  readonly kinds: Readonly<Record<IncidentKind, (subject: string) => string>>;
  readonly severities: Readonly<Record<Severity, string>>;
  readonly events: Readonly<Record<IncidentEventKind, string>>;
  readonly places: (names: string) => string;
  readonly visitors: (count: number) => string;
};

const EN: IncidentTexts = {
  kinds: {
    'line-down': (line) => `${line} is down`,
    'line-degraded': (line) => `${line} is degraded`,
    'line-lost': (line) => `${line} is lost in some places`,
    'visitors-lost': () => 'Too many visitors reach no line',
    certificate: (line) => `The certificate of ${line} ends soon`,
    'site-refused': () => 'A change of the site was refused',
    'store-down': (store) => `${store} is unusable`,
    'reports-refused': () => 'Many reports are refused',
    'unknown-regions': () => 'The region of many callers is unknown',
    'portal-cut-off': (portal) => `The portal ${portal} reaches no line`,
    'channel-failing': (channel) => `The channel ${channel} takes no messages`,
  },
  severities: { low: 'low', medium: 'medium', high: 'high' },
  events: {
    opened: 'noticed',
    changed: 'got worse',
    returned: 'came back',
    closed: 'over',
    taken: 'taken by',
    told: 'told',
    'not-told': 'could not be told',
  },
  places: (names) => `In: ${names}`,
  visitors: (count) => `Visitors affected: ${count}`,
};

const ZH_CN: IncidentTexts = {
  kinds: {
    'line-down': (line) => `${line} 中断`,
    'line-degraded': (line) => `${line} 部分异常`,
    'line-lost': (line) => `部分地区或网络无法访问 ${line}`,
    'visitors-lost': () => '过多访客无法进入任何线路',
    certificate: (line) => `${line} 的证书即将到期`,
    'site-refused': () => '站点更改被拒绝',
    'store-down': (store) => (store === 'the database' ? '数据库不可用' : '数据目录不可用'),
    'reports-refused': () => '大量测速上报被拒绝',
    'unknown-regions': () => '大量访客的地区未知',
    'portal-cut-off': (portal) => `门户 ${portal} 无法访问任何线路`,
    'channel-failing': (channel) => `通道 ${channel} 无法发送消息`,
  },
  severities: { low: '低', medium: '中', high: '高' },
  events: {
    opened: '发现',
    changed: '恶化',
    returned: '再次出现',
    closed: '结束',
    taken: '处理人',
    told: '已通知',
    'not-told': '无法通知',
  },
  places: (names) => `范围：${names}`,
  visitors: (count) => `受影响访客：${count}`,
};

export const INCIDENT_TEXTS: InConsoleLanguages<IncidentTexts> = { en: EN, 'zh-CN': ZH_CN };

/** Names an incident: what is wrong, and with what. */
export function nameIncident(
  { kind, subject }: Pick<Incident, 'kind' | 'subject'>,
  language: ConsoleLanguage,
): string {
  const kinds: Readonly<Record<string, (subject: string) => string>> = INCIDENT_TEXTS[language].kinds;
  // A newer portal that shares the database of this one may know more kinds.
  return kinds[kind]?.(subject) ?? `${kind} ${subject}`;
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
