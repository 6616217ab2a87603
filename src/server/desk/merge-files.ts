import { isDeepStrictEqual } from 'node:util';
import type { DraftConflict, JsonEdit } from '../../contract/desk/desk.ts';
import { writePath } from '../../contract/faults/site-fault.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { isObject, listLinesByHost, readKey, readObject } from './describe-difference.ts';
import { editJson } from './edit-json.ts';

type Three<T> = {
  /** What both started from. */
  readonly base: T;
  /** What is live now. */
  readonly theirs: T;
  readonly mine: T;
};

export type MergedFiles = { readonly files: SiteFiles; readonly conflicts: readonly DraftConflict[] };

/**
 * Applies my changes on top of what others have published meanwhile. What both have changed, to something different, is a
 * conflict: `keep` says whose change stays.
 */
export function mergeFiles(
  { base, theirs, mine }: Three<SiteFiles>,
  keep: 'mine' | 'theirs' = 'theirs',
): MergedFiles {
  const files = new Map(theirs);
  const conflicts: DraftConflict[] = [];
  for (const path of new Set([...base.keys(), ...theirs.keys(), ...mine.keys()])) {
    const three = { base: base.get(path), theirs: theirs.get(path), mine: mine.get(path) };
    if (isSame(three.mine, three.base) || isSame(three.mine, three.theirs)) continue;
    if (isSame(three.theirs, three.base)) {
      put(path, three.mine);
      continue;
    }
    const merged = mergeJsonFile(path, three, keep);
    conflicts.push(...merged.conflicts);
    put(path, merged.bytes);
  }
  return { files, conflicts };

  function put(path: string, bytes: Buffer | undefined): void {
    if (bytes === undefined) files.delete(path);
    else files.set(path, bytes);
  }
}

function mergeJsonFile(
  file: string,
  three: Three<Buffer | undefined>,
  keep: 'mine' | 'theirs',
): { readonly bytes: Buffer | undefined; readonly conflicts: readonly DraftConflict[] } {
  const [base, theirs, mine] = [readObject(three.base), readObject(three.theirs), readObject(three.mine)];
  if (base === undefined || theirs === undefined || mine === undefined) {
    return { bytes: three[keep], conflicts: [{ file, path: '' }] };
  }
  const edits: JsonEdit[] = [];
  const conflicts: DraftConflict[] = [];
  merge({ base, theirs, mine }, []);
  const text = editJson(file, String(three.theirs), edits);
  return { bytes: Buffer.from(text), conflicts };

  function merge(values: Three<unknown>, path: readonly string[]): void {
    if (isDeepStrictEqual(values.mine, values.base) || isDeepStrictEqual(values.mine, values.theirs)) return;
    if (isDeepStrictEqual(values.theirs, values.base)) return void edits.push({ path, value: values.mine });
    const { base: from, theirs: live, mine: own } = values;
    if (isObject(from) && isObject(live) && isObject(own)) {
      for (const key of new Set([...Object.keys(from), ...Object.keys(own)])) {
        merge({ base: readKey(from, key), theirs: readKey(live, key), mine: readKey(own, key) }, [
          ...path,
          key,
        ]);
      }
      return;
    }
    const lines = writePath(path) === 'lines.hosts' ? mergeLines(values) : undefined;
    if (lines !== undefined) return void edits.push({ path, value: lines });
    conflicts.push({ file, path: writePath(path) });
    if (keep === 'mine') edits.push({ path, value: own });
  }
}

/** Merges two lists of lines that were made from one. Undefined if both changed the same line, or mine is in another order. */
function mergeLines({ base, theirs, mine }: Three<unknown>): readonly unknown[] | undefined {
  if (!Array.isArray(base) || !Array.isArray(theirs) || !Array.isArray(mine)) return undefined;
  const [from, live, own] = [listLinesByHost(base), listLinesByHost(theirs), listLinesByHost(mine)];
  const keptOrder = [...from.keys()].filter((host) => own.has(host));
  if ([...own.keys()].filter((host) => from.has(host)).join('\n') !== keptOrder.join('\n')) return undefined;
  const hosts = [...live.keys()];
  const merged = new Map<string, unknown>(theirs.map((entry, index) => [hosts[index] ?? '', entry]));
  for (const host of new Set([...from.keys(), ...own.keys()])) {
    const [was, is, wanted] = [from, live, own].map((lines) => lines.get(host)?.entry);
    if (isDeepStrictEqual(wanted, was) || isDeepStrictEqual(wanted, is)) continue;
    if (!isDeepStrictEqual(is, was)) return undefined;
    const place = own.get(host)?.place;
    if (place === undefined) merged.delete(host);
    else merged.set(host, mine[place - 1]);
  }
  return [...merged.values()];
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
