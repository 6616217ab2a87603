import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../process/replace-file.ts';
import { readCode } from '../process/read-code.ts';
import { DeskError } from './desk-error.ts';

/** Keeps bytes under their own hash, so that the same image is kept once however many versions have it. */
export type ObjectStore = {
  /** Writes the bytes to the disk, unless they are there, and returns their hash. */
  readonly put: (bytes: Uint8Array) => Promise<string>;
  /** Throws if the bytes are missing, or are no longer what was put in. */
  readonly get: (hash: string) => Promise<Buffer>;
  readonly sizeOf: (hash: string) => Promise<number>;
  /** Finds bytes by the start of their hash. Undefined if there are none, or if they are damaged. */
  readonly find: (start: string) => Promise<Buffer | undefined>;
  /** Removes all but these, and what a crash left behind. */
  readonly keepOnly: (hashes: ReadonlySet<string>) => Promise<void>;
};

/** How the bytes get to the disk. A test may let it fail. */
export type WriteFile = (path: string, bytes: Uint8Array) => Promise<void>;

export function createObjectStore(dir: string, write: WriteFile = replaceFile): ObjectStore {
  const pathOf = (hash: string): string => join(dir, hash.slice(0, 2), hash.slice(2));
  return {
    put: async (bytes) => {
      const hash = hashBytes(bytes);
      if (await isThere(hash)) return hash;
      await mkdir(dirname(pathOf(hash)), { recursive: true, mode: 0o700 });
      await write(pathOf(hash), bytes);
      return hash;
    },
    get: readObject,
    sizeOf: async (hash) => (await stat(pathOf(hash)).catch((error: unknown) => refuse(hash, error))).size,
    find: async (start) => {
      const folder = start.slice(0, 2);
      const names = await listNames(join(dir, folder));
      const name = names.find((each) => each.startsWith(start.slice(2)));
      return name === undefined ? undefined : readObject(folder + name).catch(() => undefined);
    },
    keepOnly: async (hashes) => {
      for (const folder of await listNames(dir)) {
        for (const name of await listNames(join(dir, folder))) {
          if (!hashes.has(folder + name)) await rm(join(dir, folder, name), { force: true });
        }
      }
    },
  };

  async function readObject(hash: string): Promise<Buffer> {
    const bytes = await readFile(pathOf(hash)).catch((error: unknown) => refuse(hash, error));
    return hashBytes(bytes) === hash ? bytes : refuse(hash, undefined);
  }

  /** Bytes that were damaged on the disk count as missing: they are written again. */
  async function isThere(hash: string): Promise<boolean> {
    return readObject(hash).then(
      () => true,
      () => false,
    );
  }

  function refuse(hash: string, cause: unknown): never {
    const what = cause === undefined ? 'was changed' : `cannot be read (${readCode(cause)})`;
    throw new DeskError('version-damaged', `A file of this version ${what} on the disk: ${pathOf(hash)}.`, {
      cause,
    });
  }
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The names in a folder; none if it is not there. */
export async function listNames(dir: string): Promise<readonly string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (readCode(error) === 'ENOENT') return [];
    throw error;
  });
}
