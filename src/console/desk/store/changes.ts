import type { JsonEdit } from '../../../contract/desk/desk.ts';
import { type DraftJson, type Path, type Place, placeBelow, readValue } from './draft-files.ts';

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
