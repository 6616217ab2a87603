import type { ChannelKind, IncidentDetail, IncidentEventKind, IncidentKind, Severity } from '../incidents.ts';
import { writeDay } from '../write-day.ts';

/** The names of incidents and of channels, for messages and for the console. */
export type IncidentTexts = {
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
  readonly channels: Readonly<Record<ChannelKind, string>>;
  readonly places: (names: string) => string;
  readonly visitors: (count: number) => string;
};

/** Several lines that are wrong together. */
export type SeveralLines = {
  readonly kind: IncidentKind;
  readonly lines: number;
  /** How many lines the site has. */
  readonly of: number;
  readonly backups: number;
};

export type DetailOf<Kind> = Extract<IncidentDetail, { readonly kind: Kind }>;

/** What the server saw of something that is wrong, by its kind. */
export type DetailTexts = {
  readonly [Kind in Exclude<IncidentDetail['kind'], 'line-faults' | 'site-fault' | 'text'>]:
    | string
    | ((detail: DetailOf<Kind>) => string);
} & {
  /** Stands between the faults of a line. */
  readonly semicolon: string;
};

/** What the server did by itself, and what a person does next. */
export type AdviceTexts = {
  /** What the server has done when something of this kind is wrong. */
  readonly done: Readonly<Record<IncidentKind, string>>;
  /** What to do if no fault of a line says it better. */
  readonly next: Readonly<Record<IncidentKind, string>>;
  /** All lines are down: pages are left with the backups. */
  readonly allDown: string;
  /** What several lines have in common, by how `Incident.shared` begins. */
  readonly shared: Readonly<Record<string, (what: string) => string>>;
};

export const incidents: IncidentTexts = {
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
  channels: {
    webhook: 'Webhook',
    telegram: 'Telegram',
    slack: 'Slack',
    discord: 'Discord',
    teams: 'Microsoft Teams',
    pagerduty: 'PagerDuty',
    mail: 'Mail',
    feishu: 'Feishu / Lark',
    dingtalk: 'DingTalk',
    wecom: 'WeCom',
  },
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
  visitors: (count) => `Visitors affected: ${count}`,
};

/** A newer portal may send kinds that are not in this table. */
const NOT_REACHED: Readonly<Partial<Record<string, string>>> = {
  visitors: 'visitors do not reach it',
  'some-visitors': 'some visitors of several networks do not reach it',
  // The places are named beside it.
  'visitors-and-some-elsewhere':
    'visitors of the named places do not reach it, and neither do some visitors elsewhere',
} satisfies Record<DetailOf<'not-reached'>['by'], string>;

export const details: DetailTexts = {
  semicolon: '; ',
  'not-reached': ({ by }) => NOT_REACHED[by] ?? 'not-reached',
  slow: ({ times }) =>
    `it takes visitors ${times.toFixed(1)} times as long as before, while the other lines do not`,
  'cut-off':
    'reaches none of the lines and backups: either this portal has no network, or all lines are down',
  'certificate-ends': ({ at, hasEnded }) =>
    `its certificate ${hasEnded ? 'ended' : 'ends'} on ${writeDay(at)}`,
  'visitors-stranded': ({ percent, allowedPercent, minutes }) =>
    `${writePercent(percent)} of the visitors of the last ${minutes} minutes reached no line; at most ${writePercent(allowedPercent)} is accepted`,
  'visitors-missing': ({ percent, minutes }) =>
    `${writePercent(percent)} of the visitors who come at this hour of other weeks came in the last ${minutes} minutes`,
  store: ({ store }) =>
    store === 'database'
      ? 'it does not answer: each portal goes on alone'
      : 'the data folder cannot be written',
  'reports-refused': ({ reports, minutes }) =>
    `${reports} reports were refused in the last ${minutes} minutes, more than were taken`,
  'regions-unknown': ({ percent, minutes }) =>
    `the region of ${writePercent(percent)} of the callers of the last ${minutes} minutes is unknown`,
  'channel-late': ({ host, seconds }) =>
    host === undefined ? `no answer within ${seconds} s` : `${host}: no answer within ${seconds} s`,
  'channel-unreachable': ({ host, code }) => `${host}: ${code ?? 'cannot be reached'}`,
  'channel-status': ({ host, status }) => `${host} answered with status ${status}`,
  'channel-private': ({ host }) =>
    `${host} is an address of this machine or of a private network: WAYPOST_PRIVATE_ALERTS=on allows those`,
  'channel-secret-missing': ({ place, name }) =>
    place === 'variable' ? `the variable ${name} is not set` : `the file secrets/${name} is missing or empty`,
  'channel-secret-wrong': 'its secret is not the token of a bot, such as 123456:ABC-DEF',
  'channel-url-wrong': 'what its variable or file holds is not the address of a webhook, such as https://…',
  'channel-refused': ({ host = 'Telegram', reason }) => `${host} refused it: ${reason}`,
  test: 'this is only a test',
};

export const advice: AdviceTexts = {
  done: {
    'line-down': 'New visitors are not sent there any more',
    'line-degraded': 'It stays in use, for fewer visitors',
    'line-lost': 'Visitors of these places are sent to other lines',
    'line-slow': 'It is picked less often where it is slow',
    'visitors-lost': 'Pages try the backups, too',
    'visitors-missing': '',
    certificate: '',
    'site-refused': 'Visitors get the last good version',
    'store-down': 'Visitors are served from memory; what is counted waits',
    'reports-refused': 'These reports are not counted',
    'unknown-regions': 'They get what network.unknownRegion says',
    'portal-cut-off': 'It believes what visitors and the other portals see',
    'channel-failing': 'Each message is tried for an hour; the other channels are told',
  },
  next: {
    'line-down':
      'Open the address from another network. If it answers, its host or a carrier blocks it: ask them, or publish another line.',
    'line-degraded': 'Open the line in the console, and see who fails.',
    'line-lost':
      'A carrier or a country may block it: publish another line for them, or take it from them by a rule.',
    'line-slow':
      'If it is slow everywhere, look at the load of its server. If only in some places, ask its host about the way there.',
    'visitors-lost':
      'Look at the lines first. If all of them are up, look at what was published last, and take it back.',
    'visitors-missing':
      'Open the portal from another network, and from the named ones. Check its domains, its name servers and its proxies.',
    certificate: 'Renew the certificate, and reload the server of the line.',
    'site-refused': 'Correct the named place in the site folder, or take the change back.',
    'store-down': 'Check the disk and the database server. Nothing needs a restart.',
    'reports-refused': 'Mostly an attack or a broken proxy: see the reasons in waypost_reports_total.',
    'unknown-regions': 'Check network.trustedProxies and the mmdb file.',
    'portal-cut-off': 'Check the network of this machine: its route, its name servers, its firewall.',
    'channel-failing': 'Check its secret and its address, then send a test.',
  },
  allDown: 'Pages use the backups',
  shared: {
    port: (port) => `Together they are all lines with port ${port}`,
    range: (range) => `Together they are all lines in the address range ${range}`,
  },
};

function writePercent(percent: number): string {
  return `${percent.toFixed(1)}%`;
}
