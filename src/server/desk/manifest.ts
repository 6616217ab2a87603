import { hashBytes } from './create-file-store.ts';

/** The files of a version: the hash of each by its path. */
export type Manifest = Readonly<Record<string, string>>;

/** The hash of each changed file by its path; null for a file that was removed. */
export type ManifestChanges = Readonly<Record<string, string | null>>;

/** The files that differ, as a draft has them. */
export function findChanges(base: Manifest, wanted: Manifest): ManifestChanges {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(wanted)])];
  const changed = paths.filter((path) => base[path] !== wanted[path]);
  return Object.fromEntries(changed.map((path) => [path, wanted[path] ?? null]));
}

/** The files with such changes. */
export function applyChanges(base: Manifest, changes: ManifestChanges): Manifest {
  const entries = Object.entries({ ...base, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The same for the same files. */
export function hashManifest(manifest: Manifest): string {
  const entries = Object.entries(manifest).map((entry) => entry.join(' '));
  return hashBytes(Buffer.from(entries.toSorted().join('\n')));
}
