import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FileEvent, SiteChange } from '../../contract/desk/site-change.ts';
import { writePath } from '../../contract/faults/site-fault.ts';
import { FALLBACK_KEY, readLanguages } from '../../contract/site/locales.ts';
import { IMAGE_TYPES } from '../http/media-types.ts';
import { listBetterFormats } from '../site/better-formats.ts';
import { SITE_FILE } from '../site/parse-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';

type Path = readonly (string | number)[];
type Json = Readonly<Record<string, unknown>>;

const MAX_VALUE_CHARS = 120;
/** A person reads no more than this. */
const MAX_CHANGES = 1_000;

/** Finds what differs between two versions, in the order of their files. */
export function describeDifference(before: SiteFiles, after: SiteFiles): readonly SiteChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const sites = [before, after].map((files) => readObject(files.get(SITE_FILE)) ?? {});
  const locales = new Set([FALLBACK_KEY, ...sites.flatMap((site) => readLanguages(site).locales)]);
  const derived = new Set(
    paths.flatMap(listBetterFormats).filter((path) => findNames(sites, path).length === 0),
  );
  const changes = paths.flatMap((path): readonly SiteChange[] => {
    const [old, next] = [before.get(path), after.get(path)];
    // The server makes smaller formats beside an image. Nobody has changed them.
    if (derived.has(path) || (old !== undefined && next !== undefined && old.equals(next))) return [];
    const what: FileEvent = old === undefined ? 'added' : next === undefined ? 'removed' : 'replaced';
    if (IMAGE_TYPES.has(posix.extname(path))) {
      return [{ kind: 'image', path, names: findNames(sites, path), what }];
    }
    const [oldJson, nextJson] = [readObject(old), readObject(next)];
    if (oldJson === undefined || nextJson === undefined) return [{ kind: 'file', path, what }];
    return compareObjects(oldJson, nextJson, { file: path, path: [], locales });
  });
  return joinImageChanges(changes).slice(0, MAX_CHANGES);
}

type ImageChange = Extract<SiteChange, { kind: 'image' }>;

/** Somebody who chooses another image has made one change, although a file comes, a path changes and another file goes. */
function joinImageChanges(changes: readonly SiteChange[]): readonly SiteChange[] {
  const images = changes.filter((change): change is ImageChange => change.kind === 'image');
  const [added, removed] = (['added', 'removed'] as const).map((what) =>
    images.filter((change) => change.what === what && change.names.length > 0),
  ) as [ImageChange[], ImageChange[]];
  const isSameImage = (one: ImageChange, other: ImageChange): boolean =>
    one.names.join(' ') === other.names.join(' ');
  const paths = new Set(
    images.filter(({ what }) => what !== 'removed').map(({ path }) => JSON.stringify(path)),
  );
  return changes.flatMap((change): readonly SiteChange[] => {
    if (change.kind === 'value' && change.path.startsWith('images.') && paths.has(change.after ?? ''))
      return [];
    if (change.kind !== 'image') return [change];
    if (removed.includes(change) && added.some((other) => isSameImage(change, other))) return [];
    const isReplaced = added.includes(change) && removed.some((other) => isSameImage(change, other));
    return [isReplaced ? { ...change, what: 'replaced' } : change];
  });
}

type Place = { readonly file: string; readonly path: Path; readonly locales: ReadonlySet<string> };

function compareObjects(before: Json, after: Json, place: Place): readonly SiteChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const [old, next] = [readKey(before, key), readKey(after, key)];
    return compareValues(old, next, { ...place, path: [...place.path, key] });
  });
}

function compareValues(before: unknown, after: unknown, place: Place): readonly SiteChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) return compareObjects(before, after, place);
  const { file, path } = place;
  // A part that is new or gone is told by its values, because a person who publishes a limit wants to see its number.
  if (before === undefined && isPart(after)) return compareObjects({}, after, place);
  if (after === undefined && isPart(before)) return compareObjects(before, {}, place);
  if (
    file === SITE_FILE &&
    writePath(path) === 'lines.hosts' &&
    Array.isArray(before) &&
    Array.isArray(after)
  )
    return compareLines(before, after);
  const locale = path.find((key) => path.length > 1 && place.locales.has(String(key)));
  return [
    {
      kind: 'value',
      file,
      path: writePath(path.filter((key) => key !== locale)),
      ...(locale === undefined ? {} : { locale: String(locale) }),
      ...writeValues(before, after),
    },
  ];
}

/** An object with values that can be told one by one. */
function isPart(value: unknown): value is Json {
  return isObject(value) && Object.keys(value).length > 0;
}

/**
 * Lines are known by their host, wherever in the list they are. A new one at the place of one that is gone has replaced it.
 */
function compareLines(before: readonly unknown[], after: readonly unknown[]): readonly SiteChange[] {
  const [old, next] = [listLinesByHost(before), listLinesByHost(after)];
  const kept = [...next.keys()].filter((host) => old.has(host));
  const wasOrder = [...old.keys()].filter((host) => next.has(host));
  const gone = new Map(
    [...old].filter(([host]) => !next.has(host)).map(([host, { place }]) => [place, host]),
  );
  const changed = [...next].flatMap(([host, line]): readonly SiteChange[] => {
    const { place } = line;
    const was = old.get(host);
    if (was !== undefined) return compareEntries(host, was, line);
    const hostBefore = gone.get(place);
    const replaced = hostBefore === undefined ? undefined : old.get(hostBefore);
    if (hostBefore === undefined || replaced === undefined) return [{ kind: 'line-added', host, place }];
    gone.delete(place);
    const replacement: readonly SiteChange[] = [{ kind: 'line-replaced', host, place, hostBefore }];
    return replacement.concat(compareEntries(host, replaced, line));
  });
  const removed = [...gone].map(([place, host]): SiteChange => ({ kind: 'line-removed', host, place }));
  const isReordered = kept.join('\n') !== wasOrder.join('\n');
  return [...changed, ...removed, ...(isReordered ? [{ kind: 'lines-reordered' } as const] : [])];
}

/** What differs between two entries of the list, but for their hosts. */
function compareEntries(
  host: string,
  before: PlacedLine,
  { place, entry }: PlacedLine,
): readonly SiteChange[] {
  const keys = [...new Set([...Object.keys(before.entry), ...Object.keys(entry)])];
  return keys.flatMap((key): readonly SiteChange[] => {
    const [oldValue, nextValue] = [readKey(before.entry, key), readKey(entry, key)];
    if (key === 'host' || isDeepStrictEqual(oldValue, nextValue)) return [];
    return [{ kind: 'line-changed', host, place, key, ...writeValues(oldValue, nextValue) }];
  });
}

export type PlacedLine = { readonly place: number; readonly entry: Json };

/** An entry may be a host alone, or an object with one. Two entries of one host, which is a fault, count as one. */
export function listLinesByHost(entries: readonly unknown[]): ReadonlyMap<string, PlacedLine> {
  return new Map(
    entries.map((given, index) => {
      const entry = isObject(given) ? given : { host: given };
      return [String(entry['host']), { place: index + 1, entry }];
    }),
  );
}

function findNames(sites: readonly Json[], path: string): readonly string[] {
  const names = sites.flatMap((site) =>
    Object.entries(Object(site['images']) as object).flatMap(([name, value]) =>
      value === path || (isObject(value) && Object.values(value).includes(path)) ? [name] : [],
    ),
  );
  return [...new Set(names)];
}

function writeValues(before: unknown, after: unknown): { readonly before?: string; readonly after?: string } {
  return {
    ...(before === undefined ? {} : { before: writeValue(before) }),
    ...(after === undefined ? {} : { after: writeValue(after) }),
  };
}

function writeValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS - 1)}…` : text;
}

/** Undefined if the bytes are missing, or are no JSON object: then the file differs as a whole. */
export function readObject(bytes: Buffer | undefined): Json | undefined {
  try {
    const value: unknown = JSON.parse(String(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Never what every object inherits, such as `constructor`. */
export function readKey(object: Json, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
