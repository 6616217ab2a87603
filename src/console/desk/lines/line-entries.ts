import type { JsonEdit } from '../../../contract/desk/desk.ts';
import { nameHost, nameWithoutScheme, parseHost } from '../../../contract/site/parse-host.ts';
import { splitList } from '../fields/field-values.ts';
import { type DraftJson, SITE_FILE, readValue } from '../store/draft-files.ts';

/** One line of `site.json`. Keys that the form does not know are kept. */
export type LineEntry = {
  readonly host: string;
  readonly weight?: number | undefined;
  readonly noWWW?: boolean | undefined;
  /** Unchecked values of the file: see `line-rules.ts`. */
  readonly drain?: unknown;
  readonly countries?: unknown;
  readonly networks?: unknown;
  readonly maintenance?: unknown;
};

const HOSTS = ['lines', 'hosts'] as const;

/** A line, with its place in the list of the file, from 0. */
export type PlacedLine = { readonly line: LineEntry; readonly place: number };

/** The lines of a draft. An entry that is no line is left out of the form, and not of the file. */
export function readLines(json: DraftJson): readonly PlacedLine[] {
  return listEntries(json).flatMap((entry, place) => {
    if (typeof entry === 'string') return [{ line: { host: entry }, place }];
    const isLine = typeof (Object(entry) as Partial<LineEntry>).host === 'string';
    return isLine ? [{ line: entry as LineEntry, place }] : [];
  });
}

/**
 * The entry of a host that replaces another. The desk shows hosts without scheme, so a new host without one gets the scheme
 * of the old.
 */
export function keepScheme(host: string, replaced: string): string {
  const isBare = !host.includes('://');
  return isBare && nameHost(replaced).startsWith('http://') ? `http://${host}` : host;
}

/** The name of a form of a line, under which the store keeps what is typed there. */
export function nameForm(form: 'replace' | 'settings', host: string): string {
  return `${form} ${host}`;
}

/** The edits that change a line, known by its host, as it is now. None if it is gone. */
export function editLine(
  json: DraftJson,
  host: string,
  change: (line: LineEntry) => LineEntry,
): readonly JsonEdit[] {
  return readLines(json)
    .filter(({ line }) => line.host === host)
    .slice(0, 1)
    .map(({ line, place }) => ({ path: [...HOSTS, place], value: writeLine(change(line)) }));
}

export function removeLine(json: DraftJson, host: string): readonly JsonEdit[] {
  const place = findPlace(json, host);
  return place < 0 ? [] : [{ path: [...HOSTS, place] }];
}

/** Moves a line up (-1) or down (1). */
export function moveLine(json: DraftJson, host: string, by: -1 | 1): readonly JsonEdit[] {
  const entries = listEntries(json);
  const place = findPlace(json, host);
  const target = place + by;
  if (place < 0 || target < 0 || target >= entries.length) return [];
  return [{ path: [...HOSTS, place] }, { path: [...HOSTS, target], value: entries[place], insert: true }];
}

/** The edits that add lines. Those that are there already, such as by the first click of a double click, are left out. */
export function addLines(json: DraftJson, hosts: readonly string[]): readonly JsonEdit[] {
  const { length } = listEntries(json);
  const present = new Set(readLines(json).map(({ line }) => nameWithoutScheme(line.host)));
  return hosts
    .filter((host) => !present.has(nameWithoutScheme(host)))
    .map((host, index) => ({ path: [...HOSTS, length + index], value: host, insert: true }));
}

export type PastedLines = {
  readonly hosts: readonly string[];
  /** Hosts that the list has (under either scheme), or that were pasted twice. */
  readonly repeated: readonly string[];
  readonly unreadable: readonly string[];
};

/** Reads a pasted list of hosts, one per row. */
export function readPastedLines(text: string, present: readonly PlacedLine[]): PastedLines {
  const seen = new Set(present.map(({ line }) => nameWithoutScheme(line.host)));
  const hosts: string[] = [];
  const repeated: string[] = [];
  const unreadable: string[] = [];
  for (const entry of splitList(text)) {
    const name = nameWithoutScheme(entry);
    if (parseHost(entry).kind === 'refused') unreadable.push(entry);
    else if (seen.has(name)) repeated.push(entry);
    else {
      hosts.push(entry);
      seen.add(name);
    }
  }
  return { hosts, repeated, unreadable };
}

/** The maintenances of a line, as they are written: unchecked. */
export function listMaintenances({ maintenance }: LineEntry): readonly unknown[] {
  return Array.isArray(maintenance) ? maintenance : [];
}

/** A line without settings is written as its host alone. */
function writeLine({ weight, noWWW, ...rest }: LineEntry): unknown {
  const entry = {
    ...rest,
    ...(noWWW === true && { noWWW }),
    ...(weight !== undefined && weight !== 1 && { weight }),
  };
  return Object.keys(entry).length === 1 ? entry.host : entry;
}

/** All entries of the file, also those that are no lines. */
export function listEntries(json: DraftJson): readonly unknown[] {
  const entries = readValue(json, { file: SITE_FILE, path: HOSTS });
  return Array.isArray(entries) ? entries : [];
}

function findPlace(json: DraftJson, host: string): number {
  return listEntries(json).findIndex(
    (entry) => (typeof entry === 'string' ? entry : (Object(entry) as Partial<LineEntry>).host) === host,
  );
}
