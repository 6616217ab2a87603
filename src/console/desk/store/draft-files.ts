import type { JsonEdit } from '../../../contract/desk/desk.ts';
import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import { TARGETS_PREFIX } from '../../../contract/paths.ts';

export const SITE_FILE = 'site.json';
export const LINKS_FILE = 'json/link.json';

export type Path = readonly (string | number)[];

/** Where a value is. */
export type Place = { readonly file: string; readonly path: Path };

/** The JSON files of a draft, parsed. One that is no JSON is missing. */
export type DraftJson = Readonly<Record<string, unknown>>;

/** A change of the draft. The edits are made when the change is sent, from the draft of that moment. */
export type Change =
  | EditChange
  /** `seen` is the hash of the file that the content was made from: another one is not replaced. */
  | {
      readonly kind: 'put';
      readonly path: string;
      readonly content: Blob;
      readonly seen?: string | undefined;
    }
  | { readonly kind: 'remove'; readonly path: string };

export type EditChange =
  | {
      readonly kind: 'edit';
      readonly file: string;
      readonly makeEdits: (json: DraftJson) => readonly JsonEdit[];
    }
  | { readonly kind: 'value'; readonly place: Place; readonly update: (present: unknown) => unknown };

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

/** The change that puts a value at a place, or removes what is there. */
export function changeValue(place: Place, value: unknown): EditChange {
  return { kind: 'value', place, update: () => value };
}

/**
 * The change that makes a new value out of the one at a place, when it is sent: what was chosen a moment before may still be on its
 * way.
 */
export function updateValue(place: Place, update: (present: unknown) => unknown): EditChange {
  return { kind: 'value', place, update };
}

/**
 * The edits of a change, for the draft as it is now. `made` is the draft for which the change was made. Undefined if an item of a
 * list, at or in which it was made, is not found any more.
 */
export function makeEdits(
  change: EditChange,
  { made, now }: { readonly made: DraftJson; readonly now: DraftJson },
): readonly JsonEdit[] | undefined {
  if (change.kind === 'edit') return change.makeEdits(now);
  const place = followPlace(change.place, { made, now });
  return place && editsFor(now, place, change.update(readValue(now, place)));
}

/** The file that a change edits. */
export function fileOf(change: EditChange): string {
  return change.kind === 'edit' ? change.file : change.place.file;
}

/** Where the item of a list is now. */
function followPlace(
  { file, path }: Place,
  { made, now }: { readonly made: DraftJson; readonly now: DraftJson },
): Place | undefined {
  let followed: Place = { file, path: [] };
  for (const [depth, key] of path.entries()) {
    const was = readValue(made, { file, path: path.slice(0, depth) });
    const is = readValue(now, followed);
    const next = typeof key === 'number' && Array.isArray(was) ? findItem(key, was, is) : key;
    if (next === undefined) return undefined;
    followed = placeBelow(followed, next);
  }
  return followed;
}

/** The index of an item of a list, found by its content. If only its content has changed, it is where it was. */
function findItem(index: number, was: readonly unknown[], is: unknown): number | undefined {
  const before = was.map((item) => JSON.stringify(item));
  const after = Array.isArray(is) ? is.map((item) => JSON.stringify(item)) : [];
  const mine = before[index];
  // A new item, or one that has not moved.
  if (mine === undefined || mine === after[index]) return index;
  if (after.includes(mine)) return after.indexOf(mine);
  const there = after[index];
  const isInPlace = before.length === after.length && there !== undefined && !before.includes(there);
  return isInPlace ? index : undefined;
}

/**
 * The edits that put a value at a place, or remove it. Also removes the object around it if that would be empty. None if
 * nothing would change.
 */
export function editsFor(json: DraftJson, place: Place, value: unknown): readonly JsonEdit[] {
  const present = readValue(json, place);
  if (JSON.stringify(present) === JSON.stringify(value)) return [];
  return [value === undefined ? { path: findRemoved(json, place) } : { path: place.path, value }];
}

/** The path of a value, or of the object around it if that holds nothing else. */
function findRemoved(json: DraftJson, { file, path }: Place): Path {
  const around = path.slice(0, -1);
  const object = readValue(json, { file, path: around });
  const isAlone = typeof object === 'object' && object !== null && Object.keys(object).length === 1;
  return isAlone && around.length > 0 ? findRemoved(json, { file, path: around }) : path;
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
