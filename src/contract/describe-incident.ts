import type { ConsoleLanguage, InConsoleLanguages } from './console-language.ts';
import { writeRange } from './write-range.ts';
import { type Incident, type IncidentPart, findLineId } from './incidents.ts';
import { type IncidentTexts, type SeveralLines, incidents as en } from './texts/en.ts';
import { incidents as zhCN } from './texts/zh-cn.ts';

export const INCIDENT_TEXTS: InConsoleLanguages<IncidentTexts> = { en, 'zh-CN': zhCN };

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
  const said = listSaid(incident);
  const several = countLines(incident, (part) => said.includes(part));
  if (several !== undefined && said.length > 1) return texts.several(several);
  const subject = said[0]?.subject ?? incident.subject;
  if (detail?.kind === 'certificate-ends' && detail.hasEnded) return texts.certificateEnded(subject);
  const kinds: Readonly<Record<string, (subject: string) => string>> = texts.kinds;
  // A newer portal that shares the database of this one may know more kinds.
  return kinds[kind]?.(subject) ?? `${kind} ${subject}`;
}

/** The parts with the trouble that the incident is named after. Other lines may have a lesser one: they are named beside it. */
export function listSaid({ kind, parts, endedAt }: Named): readonly IncidentPart[] {
  return (parts ?? []).filter((part) => part.kind === kind && (part.endedAt === null || endedAt !== null));
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

/**
 * Names where that is which the incident is named after: countries and networks, such as `GB, DE/AS64500, 198.51.0.0/16`, or ports. A
 * line that is down for everyone is not somewhere.
 */
export function namePlaces(incident: Named & Pick<Incident, 'affected'>): readonly string[] {
  const said = incident.parts === undefined ? [incident] : listSaid(incident);
  const places = [...new Set(said.flatMap(({ affected }) => affected))].map(readPlace);
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
