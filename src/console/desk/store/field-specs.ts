import { BUILT_IN_LOCALES } from '../../../contract/site/locales.ts';
import { DEFAULT_MARKER_HEADER } from '../../../contract/api/headers.ts';
import { DEFAULT_COLOURS } from '../../../contract/site/colours.ts';
import { DOWNLOAD_IDS } from '../../../contract/site/downloads.ts';
import {
  LINE_PORTS,
  OFFLINE_DAYS,
  RECORDINGS_KEEP_BYTES,
  RECORDINGS_KEEP_DAYS,
  REPLAY_SAMPLE_PERCENT,
  SESSION_SAMPLE_PERCENT,
  SPEED_CHECK_TIMEOUT_MS,
} from '../../../contract/limits.ts';
import { LINKS_FILE, type Place, SITE_FILE } from './draft-files.ts';

/** How a value is written in a form. */
export type FieldKind =
  | 'text'
  | 'long-text'
  | 'url'
  | 'number'
  | 'switch'
  | 'choice'
  /** A day and a time of day. */
  | 'moment'
  /** Texts or numbers, one per row. */
  | 'texts'
  | 'numbers';

/** One value of the site folder. */
export type FieldSpec = {
  readonly kind: FieldKind;
  /** It may differ by language. */
  readonly isLocalized?: true;
  /** The default. A field without one is required. */
  readonly fallback?: string;
  readonly choices?: readonly string[];
  /** The names of choices that have another name here than in other fields. */
  readonly names?: Readonly<Record<string, string>>;
  /** What stands in it while it is empty. */
  readonly placeholder?: string | undefined;
  /** Texts that are offered while somebody types. */
  readonly suggestions?: readonly string[];
};

const OPTIONAL_URL = { kind: 'url', fallback: '' } as const;
const LINK = { kind: 'url', isLocalized: true, fallback: '' } as const;

/** The values that have a field, by their place. Those of `json/link.json` begin with `link`. */
export const FIELDS = {
  'brand.name': { kind: 'text', isLocalized: true },
  'brand.mainBrowser': { kind: 'text', isLocalized: true },
  'brand.androidBrowser': { kind: 'text', isLocalized: true },
  'brand.email': { kind: 'text', isLocalized: true },
  'brand.copyright': { kind: 'text', isLocalized: true },
  'compliance.operator': { kind: 'text', isLocalized: true },
  'compliance.licence.statement': { kind: 'long-text', isLocalized: true },
  'compliance.licence.url': { kind: 'url', isLocalized: true },
  'compliance.minimumAge': { kind: 'number' },
  'compliance.responsiblePlayUrl': { kind: 'url', isLocalized: true },
  'compliance.restrictedRegions': { kind: 'texts', fallback: '' },
  'network.unknownRegion': { kind: 'choice', choices: ['closed', 'open'], fallback: 'closed' },
  consent: { kind: 'choice', choices: ['not-required', 'required'], fallback: 'not-required' },
  'analytics.measurementId': { kind: 'text', fallback: '' },
  'analytics.tagUrl': OPTIONAL_URL,
  'analytics.counts': { kind: 'choice', choices: ['self', 'off'], fallback: 'off' },
  'analytics.countsWithoutConsent': { kind: 'switch', fallback: 'false' },
  'monitoring.intakeUrl': { kind: 'text', fallback: '' },
  'monitoring.maskText': { kind: 'switch', fallback: 'false' },
  'monitoring.keepDays': { kind: 'number', fallback: String(RECORDINGS_KEEP_DAYS) },
  'monitoring.keepBytes': { kind: 'number', fallback: String(RECORDINGS_KEEP_BYTES) },
  'monitoring.sessionPercent': { kind: 'number', fallback: String(SESSION_SAMPLE_PERCENT) },
  'monitoring.replayPercent': { kind: 'number', fallback: String(REPLAY_SAMPLE_PERCENT) },
  'limits.apiPerMinute': { kind: 'number', fallback: '600' },
  'limits.reportsPerNetwork': { kind: 'number', fallback: '10' },
  'limits.exempt': { kind: 'texts', fallback: '' },
  'network.trustedProxies': { kind: 'texts', fallback: '' },
  'network.clientAddressHeader': { kind: 'text', fallback: '' },
  'network.countryHeader': { kind: 'text', fallback: '' },
  'network.mmdb': { kind: 'texts', fallback: '' },
  'services.callerAddress': OPTIONAL_URL,
  publicUrl: OPTIONAL_URL,
  locales: { kind: 'texts', fallback: BUILT_IN_LOCALES.join('\n') },
  defaultLocale: { kind: 'text', fallback: 'zh-CN' },
  downloads: { kind: 'texts', fallback: DOWNLOAD_IDS.join('\n') },
  'typeRedirect.allowedHosts': { kind: 'texts' },
  'redirect.keepQuery': { kind: 'switch', fallback: 'false' },
  start: { kind: 'choice', choices: ['calls', 'inline'], fallback: 'calls' },
  'offline.mode': { kind: 'choice', choices: ['auto', 'on', 'off'], fallback: 'auto' },
  'offline.days': { kind: 'number', fallback: String(OFFLINE_DAYS) },
  'lines.marker': { kind: 'text' },
  'lines.markerHeader': { kind: 'text', fallback: DEFAULT_MARKER_HEADER },
  'lines.steering': { kind: 'choice', choices: ['measured', 'uniform'], fallback: 'measured' },
  'lines.prefetch': { kind: 'choice', choices: ['fastest', 'off'], fallback: 'fastest' },
  'lines.sticky': { kind: 'switch', fallback: 'false' },
  'lines.health.path': { kind: 'text', fallback: '' },
  'lines.health.expect.status': { kind: 'number', fallback: '200' },
  'lines.health.expect.text': { kind: 'text', fallback: '' },
  'lines.health.everySeconds': { kind: 'number', fallback: '30' },
  'lines.health.timeoutMs': { kind: 'number', fallback: String(SPEED_CHECK_TIMEOUT_MS) },
  'lines.ports': { kind: 'numbers', fallback: LINE_PORTS.join('\n') },
  'lines.fallback': { kind: 'texts' },
  'theme.beams': { kind: 'switch', fallback: 'false' },
  'theme.accent': { kind: 'text', fallback: DEFAULT_COLOURS.accent },
  'theme.background': { kind: 'text', fallback: DEFAULT_COLOURS.background },
  'theme.text': { kind: 'text', fallback: DEFAULT_COLOURS.text },
  'link.ub': LINK,
  'link.esb': LINK,
  'link.wallet': LINK,
  'link.telegram': LINK,
  'link.service': LINK,
} as const satisfies Readonly<Record<string, FieldSpec>>;

export type FieldName = keyof typeof FIELDS;

/** The groups of the settings, with their fields. */
export const SETTINGS = {
  brand: ['brand.name', 'brand.mainBrowser', 'brand.androidBrowser', 'brand.email', 'brand.copyright'],
  compliance: [
    'compliance.operator',
    'compliance.licence.statement',
    'compliance.licence.url',
    'compliance.minimumAge',
    'compliance.responsiblePlayUrl',
  ],
  regions: ['compliance.restrictedRegions', 'network.unknownRegion'],
  watching: [
    'consent',
    'analytics.measurementId',
    'analytics.tagUrl',
    'analytics.counts',
    'analytics.countsWithoutConsent',
    'monitoring.intakeUrl',
    'monitoring.maskText',
    'monitoring.keepDays',
    'monitoring.keepBytes',
    'monitoring.sessionPercent',
    'monitoring.replayPercent',
  ],
  pages: [
    'publicUrl',
    'locales',
    'defaultLocale',
    'downloads',
    'start',
    'offline.mode',
    'offline.days',
    'redirect.keepQuery',
    'theme.beams',
    'typeRedirect.allowedHosts',
  ],
  limits: ['limits.apiPerMinute', 'limits.reportsPerNetwork', 'limits.exempt'],
  network: [
    'network.trustedProxies',
    'network.clientAddressHeader',
    'network.countryHeader',
    'network.mmdb',
    'services.callerAddress',
  ],
} as const satisfies Readonly<Record<string, readonly FieldName[]>>;

export type SettingsGroup = keyof typeof SETTINGS;

/** Where the value of a field is. */
export function placeOfField(name: FieldName): Place {
  const path = name.split('.');
  return path[0] === 'link' ? { file: LINKS_FILE, path: path.slice(1) } : { file: SITE_FILE, path };
}

/** The field of a value; undefined if it has none. */
export function findField(file: string, path: string): FieldName | undefined {
  const name = file === LINKS_FILE ? `link.${path}` : file === SITE_FILE ? path : '';
  return Object.hasOwn(FIELDS, name) ? (name as FieldName) : undefined;
}
