import { adviseOn, describeShared } from '../../contract/describe-advice.ts';
import { describeDetail } from '../../contract/describe-detail.ts';
import { INCIDENT_TEXTS, nameEnd, nameIncident, namePlaces } from '../../contract/describe-incident.ts';
import type { ConsoleLanguage } from '../../contract/console-language.ts';
import {
  type Incident,
  type IncidentDetail,
  type IncidentKind,
  type IncidentPart,
  SEVERITIES,
  findLineId,
  partsOf,
} from '../../contract/incidents.ts';
import type { LineFault } from '../../contract/line/line-fault.ts';
import { writeDuration } from '../../contract/write-duration.ts';
import { networkIn } from '../learning/area.ts';
import { type Message, type MessageType, cutText } from './message.ts';
import { type MessageTexts, MESSAGE_TEXTS } from './message-texts.ts';

export type DescribeOptions = {
  readonly id: string;
  readonly type: Exclude<MessageType, 'report'>;
  readonly site: string;
  readonly language: ConsoleLanguage;
  readonly now: number;
  /** Of the channel, such as `Asia/Singapore`. UTC if it is left out. */
  readonly timeZone?: string | undefined;
  /** Where people open the console. Empty or left out if nobody said. */
  readonly consoleUrl?: string | undefined;
  /** The percentage of the visitors of the last five minutes who reached a line. Undefined if there were none. */
  readonly percentIn?: number | undefined;
  /** Who owns a network such as `AS64500`, if it is known. */
  readonly ownerOf?: ((network: string) => string | undefined) | undefined;
  /** Who is on call now. */
  readonly onCall?: string | undefined;
};

const MAX_PLACES = 10;
/** Channels refuse messages that are too long: WeCom takes 2,048 bytes, in which a Chinese character takes three. */
const MAX_DETAIL_BYTES = 600;
/** Incidents that keep visitors from getting in. */
const ABOUT_REACH: ReadonlySet<IncidentKind> = new Set<IncidentKind>([
  'line-down',
  'line-degraded',
  'line-lost',
  'line-slow',
  'visitors-lost',
  'portal-cut-off',
]);
/** Lines of one incident may have different faults. */
const MAX_DETAILS = 3;

/** Characters that some chat takes for a mention, a tag, a link with a text of its own, or a format. */
const MARKUP = /[<>&@#*_~`|\\[\]{}]/g;
/** Characters that make a link of a plain text. */
const LINK_MARK = /[.:](?=[\p{L}\p{N}/])/gu;
/** From a character of ASCII to its wide form in Unicode. */
const WIDE_FORMS = 0xfe_e0;

/** Writes the message about an incident, in the language of the site's operator: for somebody who was just woken up. */
export function describeMessage(incident: Incident, options: DescribeOptions): Message {
  const { id, type, site, now, consoleUrl = '' } = options;
  const { kind, severity, subject, affected, detail, visitors, startedAt, endedAt } = incident;
  const title = writeTitle(incident, options);
  const url = writeConsoleUrl(consoleUrl, type === 'test' ? 'incidents' : `incidents/${incident.id}`);
  return {
    id,
    type,
    at: now,
    site,
    title,
    text: [title, ...(type === 'test' ? writeTest(options) : writeFacts(incident, options)), url]
      .filter((line) => line !== '')
      .join('\n'),
    incident: incident.id,
    kind,
    severity,
    subject,
    lines: listLines(incident),
    affected,
    // In English for every site: a program may look for words in it.
    detail: writeDetail(detail, 'en'),
    visitors,
    startedAt,
    endedAt,
    url,
  };
}

/** Where the console shows a view. Empty if nobody said where people open the console. */
export function writeConsoleUrl(consoleUrl: string, view: string): string {
  return consoleUrl && `${consoleUrl.replace(/\/$/, '')}/#/${view}`;
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

/** What is wrong, for whom, how bad, and since when. */
function writeTitle(incident: Incident, { type, site, language, now, timeZone }: DescribeOptions): string {
  const texts = MESSAGE_TEXTS[language];
  const { startedAt, endedAt, severity } = incident;
  if (type === 'test') return texts.title(texts.types.test, site, texts.testTitle);
  if (type === 'resolved') {
    const duration = writeDuration((endedAt ?? now) - startedAt, language);
    return texts.title(texts.types.resolved, site, texts.after(nameEnd(incident, language), duration));
  }
  const tag = texts.tag(texts.types[type], INCIDENT_TEXTS[language].severities[severity]);
  const since = writeTime(startedAt, { now, timeZone });
  return texts.title(tag, site, texts.since(nameIncident(incident, language), since));
}

function writeTest({ language }: DescribeOptions): readonly string[] {
  return [describeDetail({ kind: 'test' }, language)];
}

function writeFacts(incident: Incident, options: DescribeOptions): readonly string[] {
  const { type, language, now, timeZone, percentIn, onCall } = options;
  const { visitors, startedAt, endedAt, takenBy } = incident;
  const [words, texts] = [INCIDENT_TEXTS[language], MESSAGE_TEXTS[language]];
  const isOver = type === 'resolved';
  const advice = adviseOn(incident, language);
  return [
    ...writeLines(incident, texts),
    isOver
      ? texts.fromTo(writeTime(startedAt, { now, timeZone }), writeTime(endedAt ?? now, { now, timeZone }))
      : texts.known(writeKnown(incident, language)),
    isOver ? '' : writePlaces(incident, options),
    visitors === 0 ? '' : words.visitors(visitors),
    isOver ? '' : texts.done(advice.done),
    isOver || !ABOUT_REACH.has(incident.kind) || percentIn === undefined ? '' : texts.getIn(percentIn),
    isOver ? '' : texts.next(advice.next),
    takenBy === null || isOver ? '' : texts.takenBy(takenBy),
    onCall === undefined || isOver ? '' : texts.onCall(onCall),
  ];
}

/** Names the lines of an incident about several: those that are wrong, and those that are well again. */
function writeLines(incident: Incident, texts: MessageTexts): readonly string[] {
  if (incident.parts === undefined) return [];
  const lines = incident.parts.filter(({ cause }) => findLineId(cause) !== undefined);
  const isOver = incident.endedAt !== null;
  const wrong = lines.filter(({ endedAt }) => isOver || endedAt === null);
  const well = isOver ? [] : lines.filter(({ endedAt }) => endedAt !== null);
  return [texts.lines(listSome(wrong)), texts.wellAgain(listSome(well))];
}

function listSome(parts: readonly IncidentPart[]): string {
  return shorten(parts.map(({ subject }) => subject));
}

function shorten(names: readonly string[]): string {
  const more = names.length > MAX_PLACES ? ` +${names.length - MAX_PLACES}` : '';
  return names.slice(0, MAX_PLACES).join(', ') + more;
}

/** What the lines have in common, and what each of them does: the worst first, then the most frequent. */
function writeKnown(incident: Incident, language: ConsoleLanguage): string {
  const lasting = partsOf(incident).filter(({ endedAt }) => endedAt === null);
  const found = new Map<string, { readonly severity: number; readonly count: number }>();
  for (const { detail, severity } of lasting) {
    const text = writeDetail(detail, language);
    const { count } = found.get(text) ?? { count: 0 };
    if (text !== '') found.set(text, { severity: SEVERITIES.indexOf(severity), count: count + 1 });
  }
  const details = [...found]
    .toSorted(([, one], [, other]) => other.severity - one.severity || other.count - one.count)
    .slice(0, MAX_DETAILS)
    .map(([text, { count }]) => (found.size > 1 && count > 1 ? `${text} (${count})` : text));
  return [describeShared(incident, language), ...details]
    .filter((text) => text !== '')
    .join(language === 'en' ? '; ' : '；');
}

/** Ports are called ports, and networks have the names of their owners where these are known. */
function writePlaces(incident: Incident, { language, ownerOf }: DescribeOptions): string {
  const words = INCIDENT_TEXTS[language];
  const places = namePlaces(incident);
  if (places.length === 0) return '';
  if (places.every((place) => /^\d+$/.test(place))) return MESSAGE_TEXTS[language].ports(shorten(places));
  const named = places.map((place) => {
    const owner = ownerOf?.(networkIn(place));
    return owner === undefined ? place : `${place} (${defuse(owner)})`;
  });
  return words.places(shorten(named));
}

function listLines(incident: Incident): readonly string[] {
  return partsOf(incident)
    .filter(({ cause, endedAt }) => endedAt === null && findLineId(cause) !== undefined)
    .map(({ subject }) => subject);
}

function writeDetail(detail: IncidentDetail, language: ConsoleLanguage): string {
  return cutText(describeDetail(defuseDetail(detail), language), MAX_DETAIL_BYTES);
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

/** Writes a time as people of a time zone read it, such as `03:12 (Singapore)`, and with its day if that is not today. */
function writeTime(at: number, { now, timeZone = 'UTC' }: Pick<DescribeOptions, 'now' | 'timeZone'>): string {
  // Swedes write dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [day = '', time = ''] = format.format(at).split(' ');
  const [today] = format.format(now).split(' ');
  const city = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return `${day === today ? time : `${day} ${time}`} (${city})`;
}
