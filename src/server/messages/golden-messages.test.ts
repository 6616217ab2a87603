import { expect, test } from 'vitest';
import { CONSOLE_LANGUAGES, type ConsoleLanguage } from '../../contract/console-language.ts';
import {
  INCIDENT_KINDS,
  type Incident,
  type IncidentDetail,
  type IncidentKind,
  type IncidentPart,
  type Severity,
} from '../../contract/incidents.ts';
import { createTestIncident, describeMessage } from './describe-message.ts';
import type { Choice } from './choose-messages.ts';

/** 03:12 in Singapore. */
const SINCE = Date.UTC(2027, 0, 14, 19, 12);
const MINUTE_MS = 60_000;

const REFUSED: IncidentDetail = {
  kind: 'line-faults',
  faults: [{ kind: 'unreachable', code: 'ECONNREFUSED' }],
};

type Example = Partial<Incident> & { readonly kind: IncidentKind; readonly severity: Severity };

/** One incident of each kind. */
const EXAMPLES: Readonly<Record<IncidentKind, Omit<Example, 'kind'>>> = {
  'line-down': { severity: 'high', subject: 'line3.example', detail: REFUSED, visitors: 12 },
  'line-degraded': {
    severity: 'medium',
    subject: 'line3.example',
    affected: ['8443', '9900'],
    detail: REFUSED,
  },
  'line-lost': {
    severity: 'medium',
    subject: 'line3.example',
    affected: ['SG/AS64500', 'GB/'],
    detail: { kind: 'not-reached', by: 'visitors' },
    visitors: 31,
  },
  'line-slow': {
    severity: 'medium',
    subject: 'line3.example',
    affected: ['SG/AS64500'],
    detail: { kind: 'slow', times: 3.4 },
    visitors: 31,
  },
  'visitors-lost': {
    severity: 'high',
    detail: { kind: 'visitors-stranded', percent: 15.7, allowedPercent: 1, minutes: 5 },
    visitors: 110,
  },
  'visitors-missing': {
    severity: 'medium',
    affected: ['SG/AS64500', 'go.example'],
    detail: { kind: 'visitors-missing', percent: 4.1, minutes: 7 },
    visitors: 212,
  },
  certificate: {
    severity: 'low',
    subject: 'line3.example',
    detail: { kind: 'certificate-ends', at: Date.UTC(2027, 0, 20) },
  },
  'site-refused': {
    severity: 'medium',
    detail: {
      kind: 'site-fault',
      fault: { code: 'broken-json', sentences: { en: 'the file is empty', 'zh-CN': '文件为空' } },
    },
  },
  'store-down': { severity: 'high', subject: 'the database', detail: { kind: 'store', store: 'database' } },
  'reports-refused': { severity: 'low', detail: { kind: 'reports-refused', reports: 812, minutes: 5 } },
  'unknown-regions': { severity: 'medium', detail: { kind: 'regions-unknown', percent: 41.5, minutes: 5 } },
  'portal-cut-off': { severity: 'high', subject: 'portal-1', detail: { kind: 'cut-off' } },
  'channel-failing': {
    severity: 'medium',
    subject: 'night',
    detail: { kind: 'channel-status', host: 'hooks.example', status: 500 },
  },
};

function createIncident(example: Example): Incident {
  return {
    id: 'kT3x9LqPz0WvB71mCk2nEA',
    cause: 'x',
    subject: '',
    affected: [],
    visitors: 0,
    detail: {
      kind: 'text',
      text: '',
    },
    startedAt: SINCE,
    endedAt: null,
    takenBy: null,
    timeline: [],
    ...example,
  };
}

function createPart(id: number, more: Partial<IncidentPart> = {}): IncidentPart {
  return {
    cause: `line/${id}`,
    kind: 'line-down',
    severity: 'high',
    subject: `line${id}.example`,
    affected: [],
    detail: REFUSED,
    since: SINCE,
    changedAt: SINCE,
    endedAt: null,
    hasReturned: false,
    ...more,
  };
}

const FOUR = [1, 2, 3, 4].map((id) => createPart(id));
const NOBODY = createPart(0, {
  cause: 'visitors/now',
  kind: 'visitors-lost',
  severity: 'critical',
  subject: '',
  detail: { kind: 'visitors-stranded', percent: 98.2, allowedPercent: 1, minutes: 2 },
});
const OUTAGE = createIncident({ kind: 'line-down', severity: 'high', parts: FOUR, lineCount: 12 });
const END = { endedAt: SINCE + 4 * MINUTE_MS };
const EXPIRED: IncidentDetail = {
  kind: 'line-faults',
  faults: [{ kind: 'certificate', code: 'CERT_HAS_EXPIRED', hostname: 'a', validTo: Date.UTC(2027, 0, 14) }],
};

/** What else a message may be about. */
const CASES: readonly (readonly [Choice['type'], Incident])[] = [
  ['opened', OUTAGE],
  ['opened', { ...OUTAGE, shared: 'range/203.0.113.0/24' }],
  ['opened', { ...OUTAGE, parts: FOUR.map((part) => ({ ...part, detail: EXPIRED })), detail: EXPIRED }],
  [
    'changed',
    createIncident({
      kind: 'visitors-lost',
      severity: 'critical',
      detail: NOBODY.detail,
      visitors: 54,
      lineCount: 4,
      parts: [...FOUR, createPart(9, { isBackup: true }), NOBODY],
    }),
  ],
  ['eased', { ...OUTAGE, parts: FOUR.map((part, index) => (index < 3 ? { ...part, ...END } : part)) }],
  ['reminder', { ...OUTAGE, takenBy: null }],
  ['escalated', { ...OUTAGE, takenBy: null }],
  ['returned', { ...OUTAGE, takenBy: 'mei' }],
  ['resolved', { ...OUTAGE, ...END, parts: FOUR.map((part) => Object.assign({}, part, END)) }],
  [
    'resolved',
    createIncident({ kind: 'visitors-lost', severity: 'critical', ...END, parts: [{ ...NOBODY, ...END }] }),
  ],
  [
    'opened',
    createIncident({
      kind: 'certificate',
      severity: 'high',
      subject: 'line3.example',
      detail: {
        kind: 'certificate-ends',
        at: Date.UTC(2027, 0, 14),
        hasEnded: true,
      },
    }),
  ],
  ['test', createTestIncident(SINCE)],
];

function write(incident: Incident, type: Choice['type'], language: ConsoleLanguage): string {
  return describeMessage(incident, {
    id: 'id',
    type,
    site: 'Lumo',
    language,
    now: SINCE + 5 * MINUTE_MS,
    percentIn: 93,
    timeZone: 'Asia/Singapore',
    consoleUrl: 'https://console.example/',
    ownerOf: (network) => (network === 'AS64500' ? 'Example Telecom' : undefined),
    onCall: 'mei',
  }).text;
}

test.each(CONSOLE_LANGUAGES)(
  'the texts for 3 a.m. are those that were read and agreed on: %s',
  async (language) => {
    const kinds = INCIDENT_KINDS.flatMap((kind) => {
      const incident = createIncident({ kind, ...EXAMPLES[kind] });
      return [
        [`${kind}, opened`, write(incident, 'opened', language)],
        [`${kind}, resolved`, write({ ...incident, ...END }, 'resolved', language)],
      ] as const;
    });
    const cases = CASES.map(([type, incident]) => [
      `${type}, ${incident.kind}`,
      write(incident, type, language),
    ]);
    const texts = [...kinds, ...cases].map(([what, text]) => `## ${what}\n\n${text}\n`);
    await expect(texts.join('\n')).toMatchFileSnapshot(`golden-messages.${language}.md`);
  },
);

test.each(CONSOLE_LANGUAGES)('what is over is never said to be wrong: %s', (language) => {
  for (const kind of INCIDENT_KINDS) {
    const [title] = write(createIncident({ kind, ...EXAMPLES[kind], ...END }), 'resolved', language).split(
      '\n',
    );
    expect(title).not.toMatch(
      /is down|is slow|only in part|fewer|变慢|远低于|unusable|refused|unknown|no line|中断|异常$|不可用/,
    );
    expect(title).toMatch(language === 'en' ? /, after 4 min$/ : /，持续 4 分钟$/);
  }
});

test('a message is short enough for every chat: WeCom takes 2,048 bytes', () => {
  const parts = Array.from({ length: 200 }, (_, id) =>
    createPart(id, { subject: `line-with-a-long-name-${id}.example` }),
  );
  for (const language of CONSOLE_LANGUAGES)
    expect(Buffer.byteLength(write({ ...OUTAGE, parts, lineCount: 200 }, 'opened', language))).toBeLessThan(
      2_048,
    );
});
