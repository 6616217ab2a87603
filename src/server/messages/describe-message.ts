import { describeDetail } from '../../contract/describe-detail.ts';
import { INCIDENT_TEXTS, nameIncident, namePlaces } from '../../contract/describe-incident.ts';
import type { ConsoleLanguage } from '../../contract/console-language.ts';
import type { Incident, IncidentDetail } from '../../contract/incidents.ts';
import type { LineFault } from '../../contract/line/line-fault.ts';
import type { Message, MessageType } from './message.ts';

export type DescribeOptions = {
  readonly id: string;
  readonly type: MessageType;
  readonly site: string;
  readonly language: ConsoleLanguage;
  readonly now: number;
};

const MAX_PLACES = 10;
/** Channels refuse messages that are too long: WeCom takes 2,048 bytes, in which a Chinese character takes three. */
const MAX_DETAIL_BYTES = 1_000;

/** What some chat takes for a mention, a tag, a link with a text of its own, or a format. */
const MARKUP = /[<>&@#*_~`|\\[\]{}]/g;
/** What makes a link of a plain text. */
const LINK_MARK = /[.:](?=[\p{L}\p{N}/])/gu;
/** From a character of ASCII to its wide form in Unicode. */
const WIDE_FORMS = 0xfe_e0;

const TYPES: Readonly<Record<ConsoleLanguage, Readonly<Record<MessageType, string>>>> = {
  en: {
    opened: 'Incident',
    changed: 'Worse',
    returned: 'Back again',
    reminder: 'Still',
    resolved: 'Resolved',
    test: 'Test',
  },
  'zh-CN': {
    opened: '故障',
    changed: '恶化',
    returned: '再次出现',
    reminder: '仍未恢复',
    resolved: '已恢复',
    test: '测试',
  },
};

/** Writes the message about an incident, in the language of the site's operator. */
export function describeMessage(incident: Incident, options: DescribeOptions): Message {
  const { id, type, site, language, now } = options;
  const { kind, severity, subject, affected, detail, visitors, startedAt, endedAt } = incident;
  const title = `[${TYPES[language][type]}] ${site}: ${nameIncident(incident, language)}`;
  return {
    id,
    type,
    at: now,
    site,
    title,
    text: writeText(incident, language, title),
    incident: incident.id,
    kind,
    severity,
    subject,
    affected,
    // In English for every site: a program may look for words in it.
    detail: writeDetail(detail, 'en'),
    visitors,
    startedAt,
    endedAt,
  };
}

/** What a test message is about. */
export function createTestIncident(now: number): Incident {
  return {
    id: 'test',
    cause: 'test',
    kind: 'line-down',
    severity: 'low',
    subject: 'line.example',
    affected: [],
    detail: { kind: 'test' },
    visitors: 0,
    startedAt: now,
    endedAt: null,
    takenBy: null,
    timeline: [],
  };
}

function writeText(incident: Incident, language: ConsoleLanguage, title: string): string {
  const texts = INCIDENT_TEXTS[language];
  const places = namePlaces(incident);
  const more = places.length > MAX_PLACES ? ` +${places.length - MAX_PLACES}` : '';
  const { detail, visitors, severity, startedAt, endedAt } = incident;
  return [
    title,
    writeDetail(detail, language),
    places.length === 0 ? '' : texts.places(places.slice(0, MAX_PLACES).join(', ') + more),
    visitors === 0 ? '' : texts.visitors(visitors),
    `${texts.severities[severity]} · ${writeTime(startedAt)}${endedAt === null ? '' : ` – ${writeTime(endedAt)}`} UTC`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function writeDetail(detail: IncidentDetail, language: ConsoleLanguage): string {
  const text = describeDetail(defuseDetail(detail), language);
  // It stops before a character that has no room as a whole.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_DETAIL_BYTES));
  return read < text.length ? `${text.slice(0, read)}…` : text;
}

/** Disarms text of others: a line that was taken over must not put mentions, links or formats into a chat. */
function defuseDetail(detail: IncidentDetail): IncidentDetail {
  if (detail.kind === 'line-faults') return { ...detail, faults: detail.faults.map(defuseFault) };
  if (detail.kind === 'channel-refused') return { ...detail, reason: defuse(detail.reason) };
  if (detail.kind === 'text') return { ...detail, text: defuse(detail.text) };
  return detail;
}

function defuseFault(fault: LineFault): LineFault {
  if (fault.kind === 'other-marker') return { ...fault, found: defuse(fault.found) };
  if (fault.kind === 'redirect' && fault.location !== null)
    return { ...fault, location: defuse(fault.location) };
  return fault;
}

/** Wide forms of the characters look alike, and mean nothing to any chat. Dots and colons of links are written `[.]` and `[:]`. */
function defuse(text: string): string {
  return text
    .replace(MARKUP, (mark) => String.fromCodePoint((mark.codePointAt(0) ?? 0) + WIDE_FORMS))
    .replace(LINK_MARK, '[$&]');
}

function writeTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
