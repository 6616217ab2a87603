import type { Dirent } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file of a site folder by its path in it, all of one moment. */
export type SiteFiles = ReadonlyMap<string, Buffer>;

/** The folder kept changing while it was read. */
export class UnsettledFolderError extends Error {
  override readonly name = 'UnsettledFolderError';
  readonly code = 'unsettled-folder';
}

const TRIES = 5;

/** Reads a whole site folder, and reads it again if it changed meanwhile: half of a change is never seen. */
export async function readSiteFolder(dir: string): Promise<{ files: SiteFiles; fingerprint: string }> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await fingerprintFolder(dir);
    const files = await readFiles(dir);
    const fingerprint = await fingerprintFolder(dir);
    if (before === fingerprint) return { files, fingerprint };
  }
  throw new UnsettledFolderError(`${dir} kept changing while it was read`);
}

/** A text that changes whenever a file of the folder does. All files are asked for at once: it is read all day long. */
export async function fingerprintFolder(dir: string): Promise<string> {
  const paths = await listFiles(dir);
  const lines = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(join(dir, path)).catch(forgiveVanished);
      return found && `${path} ${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
    }),
  );
  return lines.filter((line) => line !== undefined).join('\n');
}

async function readFiles(dir: string): Promise<SiteFiles> {
  const paths = await listFiles(dir);
  const read = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(join(dir, path)).catch(forgiveVanished);
      // What is gone meanwhile changes the fingerprint; a link that leads nowhere does not, and is no file.
      return bytes === undefined ? [] : [[path, bytes] as const];
    }),
  );
  return new Map(read.flat());
}

async function listFiles(dir: string, under = ''): Promise<readonly string[]> {
  const entries = await readdir(join(dir, under), { withFileTypes: true }).catch(forgiveVanished);
  const paths = await Promise.all(
    (entries ?? [])
      // Editors and version control keep their own things in hidden files.
      .filter(({ name }) => !name.startsWith('.'))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = under === '' ? entry.name : `${under}/${entry.name}`;
        return (await isDirectory(entry, join(dir, path))) ? listFiles(dir, path) : [path];
      }),
  );
  return paths.flat();
}

/** Follows symbolic links, by which Kubernetes, for one, mounts a folder's files. */
async function isDirectory(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(path).catch(forgiveVanished))?.isDirectory() ?? false;
}

function forgiveVanished(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
