import { MAX_ROWS } from '../../contract/limits.ts';
import type { TimeWindow } from '../../server/site/time-windows.ts';
import { OWN_INTAKE, type SiteConfig } from '../../contract/site/site-config.ts';

/** Lists what `waypost serve` does for this site and plain files cannot do, one sentence each. */
export function listMissing(config: SiteConfig): readonly string[] {
  const unused = listUnusedKeys(config);
  return [
    ...describeUnusedHosts(config.lines.hosts),
    'Nobody is steered: nothing is reported, learned or limited, and there is no console.',
    'Regions cannot be told apart: everyone gets the same pages.',
    'The host does not guard /t: only the page itself does.',
    ...describeTimes('announcement', Object.values(config.announcement)),
    ...describeTimes('maintenance', config.maintenance),
    ...describeClosing(config.maintenance),
    ...describeTimes('campaigns', Object.values(config.campaigns)),
    ...describeRules(config),
    ...(config.monitoring.intakeUrl === OWN_INTAKE
      ? [
          'Nothing is monitored: monitoring.intakeUrl "self" needs the server. Name the URL of another intake.',
        ]
      : []),
    ...(config.analytics.counts === 'self'
      ? ['No visit is counted: analytics.counts "self" needs the server.']
      : []),
    ...(unused.length === 0
      ? []
      : [`Without effect, because only the server reads them: ${unused.join(', ')}.`]),
  ];
}

/** No visitor is told of more lines than there are rows. */
function describeUnusedHosts(hosts: SiteConfig['lines']['hosts']): readonly string[] {
  const unused = hosts.slice(MAX_ROWS).map(({ host }) => host);
  if (unused.length === 0) return [];
  return [`lines.hosts: the first ${MAX_ROWS} are used. Not used: ${unused.join(', ')}.`];
}

function describeTimes(key: string, windows: readonly TimeWindow[]): readonly string[] {
  if (windows.every(({ from, until }) => from === undefined && until === undefined)) return [];
  return [`${key}: from and until decide what these files show. Build them again when that time has come.`];
}

function describeClosing(maintenance: SiteConfig['maintenance']): readonly string[] {
  if (!maintenance.some(({ closes }) => closes)) return [];
  return [
    'maintenance[].closes: if built meanwhile, the pages are the notice, and no file names a line. No call answers 503, so a page that a visitor has open uses the fallback hosts.',
  ];
}

function describeRules({ campaigns }: SiteConfig): readonly string[] {
  const ruled = Object.keys(campaigns).filter((code) => campaigns[code]?.by.some(({ country }) => country));
  if (ruled.length === 0) return [];
  return [
    `campaigns: rules by country are left out, because files cannot tell countries: ${ruled.join(', ')}.`,
  ];
}

/** Keys of a line that decide when, to whom and how often it is handed out. */
const HAND_OUT_KEYS = ['weight', 'maintenance', 'drain', 'countries', 'networks'] as const;

/** Lists the keys that only the server would use. */
function listUnusedKeys({ lines, network, start, offline, alerts, limits }: SiteConfig): readonly string[] {
  const lineKeys = HAND_OUT_KEYS.filter((key) => lines.hosts.some((host) => host[key] !== undefined));
  const { unknownRegion, ...lists } = network;
  const networkKeys = Object.entries(lists).flatMap(([key, value]) =>
    value.length > 0 ? [`network.${key}`] : [],
  );
  return [
    ...(start === 'inline' ? ['start'] : []),
    ...(offline.mode === 'on' ? ['offline'] : []),
    ...lineKeys.map((key) => `lines.hosts[].${key}`),
    ...(lines.steering === 'uniform' ? ['lines.steering'] : []),
    ...(lines.sticky ? ['lines.sticky'] : []),
    ...networkKeys,
    ...(unknownRegion === 'open' ? ['network.unknownRegion'] : []),
    ...(limits.exempt.length > 0 ? ['limits.exempt'] : []),
    ...(alerts === undefined ? [] : ['alerts']),
  ];
}
