import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { openVersionStore } from '../../server/desk/version-store.ts';
import { createObjectStore } from '../../server/desk/object-store.ts';

/** What is in a backup, beside the files of the data folder: their hashes, by their paths. */
export const MANIFEST = 'backup.json';
export const manifestSchema = v.strictObject({
  format: v.literal(1),
  /** In ms since 1970. */
  madeAt: v.number(),
  files: v.record(v.string(), v.string()),
});

export type BackupManifest = v.InferOutput<typeof manifestSchema>;

/**
 * What of a data folder cannot be made again, and is small: who may sign in, what they did, every version, the numbers of
 * visits, and the secret. The rest (what was learned, recordings, sockets, unfinished files) is left out.
 */
const KEPT =
  /^(?:secret|people(?:-shared)?\.json|waypost\.db|desk\/(?:current|name|outside\.json|(?:versions|drafts)\/\w+\.json|objects\/[\da-f]{2}\/[\da-f]{62}))$/;

const POINTER = 'desk/current';

/** Lists the files of a data folder that belong into a backup. The pointer to the current version comes first. */
export async function listKeptFiles(dataDir: string): Promise<readonly string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return paths.filter(isKept).toSorted((a, b) => Number(b === POINTER) - Number(a === POINTER));
}

export function isKept(path: string): boolean {
  return KEPT.test(path);
}

/** One after the other: there may be thousands, and a process may have only so many files open. */
export async function hashFiles(
  dir: string,
  paths: readonly string[],
  hash = hashFile,
): Promise<BackupManifest['files']> {
  const hashes = new Map<string, string>();
  for (const path of paths) hashes.set(path, await hash(join(dir, path)));
  return Object.fromEntries(hashes);
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Reads every file of the current version. Throws if one is missing or damaged. Returns 0 where there is no version. */
export async function verifyVersion(dataDir: string): Promise<number> {
  const dir = join(dataDir, 'desk');
  const store = await openVersionStore({
    dir,
    objects: createObjectStore(join(dir, 'objects')),
    now: Date.now,
  });
  const number = store.currentNumber();
  if (number > 0) await store.readFiles((await store.read(number)).files);
  return number;
}
