import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import { TARGETS_PREFIX } from '../../../contract/paths.ts';

export const SITE_FILE = 'site.json';
export const LINKS_FILE = 'json/link.json';

export type Path = readonly (string | number)[];

/** Where a value is. */
export type Place = { readonly file: string; readonly path: Path };

/** The JSON files of a draft, parsed. One that is no JSON is missing. */
export type DraftJson = Readonly<Record<string, unknown>>;

/** Parses the JSON files of a draft. */
export function parseFiles(texts: Readonly<Record<string, string>>): DraftJson {
  const parsed = Object.entries(texts).flatMap(([file, text]) => {
    try {
      return [[file, JSON.parse(text) as unknown] as const];
    } catch {
      return []; // Only the JSON editor can show it.
    }
  });
  return Object.fromEntries(parsed);
}

/** The place of a key, or of a number of a list, inside of what is at a place. */
export function placeBelow(place: Place, key: string | number): Place {
  return { ...place, path: [...place.path, key] };
}

/** The place of the list or object in which a place is. */
export function placeAround(place: Place): Place {
  return { ...place, path: place.path.slice(0, -1) };
}

/** The value at a place. Undefined if there is none. */
export function readValue(json: DraftJson, { file, path }: Place): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Readonly<Record<string | number, unknown>>)[key];
  }, json[file]);
}

/** Reads a list of names from a value of a draft, which may be anything. What is no name is left out: the check names it. */
export function readNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

export type NameChoice = {
  readonly name: string;
  readonly isChosen: boolean;
  /** All names to choose from, in their order. Others are left out. */
  readonly offered: readonly string[];
};

/** A list of names with one of them put in or taken out. */
export function chooseName(present: unknown, { name, isChosen, offered }: NameChoice): readonly string[] {
  const before = readNames(present);
  return offered.filter((each) => (each === name ? isChosen : before.includes(each)));
}

/** The target whose addresses a file of the site folder holds. Undefined for any other file. */
export function readTargetName(path: string): string | undefined {
  const prefix = TARGETS_PREFIX.slice(1);
  const isTarget = path.startsWith(prefix) && path.endsWith('.json');
  return isTarget ? path.slice(prefix.length, -'.json'.length) : undefined;
}

/** The names of a draft's targets. */
export function listTargets(files: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(files).flatMap((path) => readTargetName(path) ?? []);
}

/** A name for a place, as a key. */
export function nameOf({ file, path }: Place): string {
  return `${file} ${JSON.stringify(path)}`;
}

/** The name of a place after something was removed, with its item in a list. Undefined if it was in what was removed. */
export function renameBehind(name: string, { file, path }: Place): string | undefined {
  if (!name.startsWith(`${file} [`)) return name;
  // `nameOf` wrote it.
  const at = JSON.parse(name.slice(file.length)) as Path;
  const last = path.length - 1;
  const [gone, there] = [path[last], at[last]];
  if (path.slice(0, last).some((key, index) => at[index] !== key)) return name;
  if (there === gone) return undefined;
  if (typeof there !== 'number' || typeof gone !== 'number' || there < gone) return name;
  return nameOf({ file, path: [...at.slice(0, last), there - 1, ...at.slice(last + 1)] });
}

/** The faults at a place, or in what is at that place. */
export function faultsAt(faults: readonly ToldFault[], { file, path }: Place): readonly ToldFault[] {
  return faults.filter(
    ({ place }) =>
      place !== undefined && place.file === file && path.every((key, index) => place.path[index] === key),
  );
}
