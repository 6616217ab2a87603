import { splitList } from '../fields/field-values.ts';
import { readPeriod, writeLocalMoment } from '../fields/moments.ts';
import { type LineEntry, listMaintenances } from './line-entries.ts';

/** The rules of a line as its form has them. */
export type RulesText = {
  readonly drain: boolean;
  readonly countriesOnly: string;
  readonly countriesNot: string;
  readonly networksOnly: string;
  readonly networksNot: string;
  readonly isMaintained: boolean;
  readonly reason: string;
  readonly from: string;
  readonly until: string;
};

/** All settings of a line as its form has them. */
export type SettingsText = RulesText & { readonly weight: string; readonly noWWW: boolean };

type Lists = { readonly only?: unknown; readonly not?: unknown };
type MaintenanceEntry = { readonly from?: unknown; readonly until?: unknown; readonly reason?: unknown };

/** Reads the settings of a line. */
export function readSettings(line: LineEntry, timeZone: string): SettingsText {
  return { weight: String(line.weight ?? 1), noWWW: line.noWWW === true, ...readRulesText(line, timeZone) };
}

/** The line as it is, with the settings that were changed in its form. Undefined if a time cannot be read. */
export function writeSettings(
  line: LineEntry,
  changed: Partial<SettingsText>,
  timeZone: string,
): LineEntry | undefined {
  const text = { ...readSettings(line, timeZone), ...changed };
  const ruled = writeRules(line, text, timeZone);
  return ruled && { ...ruled, weight: Number(text.weight), noWWW: text.noWWW };
}

/** Reads the rules of a line. Of several maintenances the form shows the first. */
export function readRulesText(line: LineEntry, timeZone: string): RulesText {
  const [countries, networks] = [line.countries, line.networks].map((lists) => Object(lists) as Lists);
  const maintenances = listMaintenances(line);
  const first = Object(maintenances[0]) as MaintenanceEntry;
  const writeMoment = (value: unknown): string =>
    typeof value === 'string' ? writeLocalMoment(value, timeZone) : '';
  return {
    drain: line.drain === true,
    countriesOnly: writeList(countries?.only),
    countriesNot: writeList(countries?.not),
    networksOnly: writeList(networks?.only),
    networksNot: writeList(networks?.not),
    isMaintained: maintenances.length > 0,
    reason: typeof first.reason === 'string' ? first.reason : '',
    from: writeMoment(first.from),
    until: writeMoment(first.until),
  };
}

/**
 * The line with the rules of its form. Undefined if a time cannot be read. Further maintenances are kept while the box
 * is checked; without it all are removed.
 */
export function writeRules(line: LineEntry, text: RulesText, timeZone: string): LineEntry | undefined {
  const { drain: _drain, countries: _countries, networks: _networks, maintenance: _before, ...rest } = line;
  const period = readPeriod(text, timeZone);
  if (text.isMaintained && period === undefined) return undefined;
  const countries = writeLists(text.countriesOnly.toUpperCase(), text.countriesNot.toUpperCase());
  const networks = writeLists(text.networksOnly, text.networksNot);
  const first = { ...period, reason: text.reason.trim() };
  const maintenance = text.isMaintained ? [first, ...listMaintenances(line).slice(1)] : [];
  return {
    ...rest,
    ...(text.drain && { drain: true }),
    ...(countries && { countries }),
    ...(networks && { networks }),
    ...(maintenance.length > 0 && { maintenance }),
  };
}

function writeList(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : '';
}

function writeLists(onlyText: string, notText: string): object | undefined {
  const [only, not] = [splitList(onlyText), splitList(notText)];
  if (only.length === 0 && not.length === 0) return undefined;
  return { ...(only.length > 0 && { only }), ...(not.length > 0 && { not }) };
}
