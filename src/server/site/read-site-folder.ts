import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fact, SiteFault } from '../../contract/faults/site-fault.ts';
import { isMissing, readCode } from '../../contract/read-code.ts';
import { PlainFileError, findFileFault, readPlainFile } from './read-plain-file.ts';

/** Every file of a site folder by its path in it, all of one moment. */
export type SiteFiles = ReadonlyMap<string, Buffer>;

export type SiteFolder = {
  readonly files: SiteFiles;
  /** What must not be in a site folder, one line each. */
  readonly faults: readonly SiteFault[];
  readonly fingerprint: string;
};

/** The folder kept changing while it was read. */
export class UnsettledFolderError extends Error {
  override readonly name = 'UnsettledFolderError';
  readonly code = 'unsettled-folder';
}

const TRIES = 5;
/** The server holds the folder in memory, and sends most of it to visitors. */
const MAX_FILE_BYTES = 20_000_000;
/** A link to a folder may lead anywhere, even to the whole disk. */
export const MAX_FILES = 2_000;
/** The largest useful mmdb files, those of cities, have about 100 MB. */
export const MAX_ADDRESS_FILE_BYTES = 1_000_000_000;

/** Reads a whole site folder, and reads it again if it changed meanwhile, so that nobody sees half of a change. */
export async function readSiteFolder(dir: string): Promise<SiteFolder> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await listFolder(dir);
    const { files, faults } = await readFiles(dir, before);
    const fingerprint = describe(await listFolder(dir));
    if (describe(before) === fingerprint) return { files, faults, fingerprint };
  }
  throw new UnsettledFolderError(`${dir} kept changing while it was read`);
}

/** A text that changes whenever a file of the folder does. */
export async function fingerprintFolder(dir: string): Promise<string> {
  return describe(await listFolder(dir));
}

/** A file, or what stands in the place of one. */
type Entry = {
  readonly path: string;
  /** Differs after every change. */
  readonly stamp: string;
  /** Why it cannot be in a site folder; undefined where it can. */
  readonly fault: SiteFault | undefined;
};

function describe(entries: readonly Entry[]): string {
  return entries.map(({ path, stamp }) => `${path} ${stamp}`).join('\n');
}

async function readFiles(dir: string, entries: readonly Entry[]): Promise<Omit<SiteFolder, 'fingerprint'>> {
  const faults = entries.flatMap(({ fault }) => fault ?? []);
  const plain = entries.filter(({ fault }) => fault === undefined);
  const read = await Promise.all(
    plain.map(async ({ path }) => {
      // What is gone or was replaced meanwhile changes the fingerprint, and everything is read again.
      const bytes = await readPlainFile(join(dir, path), maxBytesOf(path)).catch(forgiveChange);
      return bytes === undefined ? [] : [[path, bytes] as const];
    }),
  );
  return { files: new Map(read.flat()), faults };
}

/** All files, always in the same order. All are asked for at once, because the server does this several times a second. */
async function listFolder(dir: string): Promise<readonly Entry[]> {
  let left = MAX_FILES;
  const entries = await listUnder('', [await stat(dir)]);
  if (left >= 0) return entries;
  const values = { fact: { kind: 'too-many-files', most: MAX_FILES } } as const;
  const fault: SiteFault = { code: 'too-many-files', values, place: { file: dir, path: [] } };
  return [{ path: dir, stamp: 'too many', fault }];

  async function listUnder(under: string, parents: readonly Stats[]): Promise<readonly Entry[]> {
    const names = (await readdir(join(dir, under)).catch(forgiveVanished)) ?? [];
    // Editors and version control keep their own things in hidden files.
    const shown = names.filter((name) => !name.startsWith('.')).toSorted();
    left -= shown.length;
    if (left < 0) return [];
    const found = await Promise.all(
      shown.map((name) => listEntry(under === '' ? name : `${under}/${name}`, parents)),
    );
    return found.flat();
  }

  /** Follows symbolic links, by which Kubernetes, for one, mounts a folder's files. One that leads nowhere is no file. */
  async function listEntry(path: string, parents: readonly Stats[]): Promise<readonly Entry[]> {
    const found = await stat(join(dir, path)).catch(findLinkFault);
    if (found === undefined) return [];
    if ('kind' in found) return [{ path, stamp: found.kind, fault: refuseFile(path, found) }];
    const stamp = `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
    if (!found.isDirectory()) {
      const fault = findFileFault(found, maxBytesOf(path));
      return [{ path, stamp, fault: fault === undefined ? undefined : refuseFile(path, fault) }];
    }
    if (parents.some(({ dev, ino }) => dev === found.dev && ino === found.ino)) {
      const fault = refuseFile(path, { kind: 'link-back' });
      return [{ path, stamp, fault }];
    }
    return listUnder(path, [...parents, found]);
  }
}

function refuseFile(path: string, fact: Fact): SiteFault {
  return { code: 'unusable-file', values: { fact }, place: { file: path, path: [] } };
}

function maxBytesOf(path: string): number {
  return path.endsWith('.mmdb') ? MAX_ADDRESS_FILE_BYTES : MAX_FILE_BYTES;
}

function findLinkFault(error: unknown): Fact | undefined {
  return readCode(error) === 'ELOOP' ? { kind: 'link-to-itself' } : forgiveVanished(error);
}

function forgiveVanished(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

function forgiveChange(error: unknown): undefined {
  return error instanceof PlainFileError ? undefined : forgiveVanished(error);
}
