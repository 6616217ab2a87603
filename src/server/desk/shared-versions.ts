import { isAbsolute, normalize } from 'node:path';
import * as v from 'valibot';
import type { Redis } from '../redis/open-redis.ts';
import { createSharedRecord, writeHead } from '../redis/shared-record.ts';
import { MAX_FILE_BYTES, MAX_FILES } from '../site/read-site-folder.ts';
import { DeskError } from './desk-error.ts';
import type { Manifest } from './manifest.ts';
import { type VersionRecord, versionSchema } from './version-store.ts';

/** The newest version, as all replicas see it. The versions before it are in their data folders. */
export type SharedVersions = {
  /** What names the newest version. Empty if Redis holds none. */
  readonly readHead: () => Promise<string>;
  /** The version of a head. Undefined if it is damaged, or is not the newest any more. Throws if it is none of ours. */
  readonly read: (head: string) => Promise<VersionRecord | undefined>;
  /** A file of the newest version. Undefined if Redis does not hold it. */
  readonly readFile: (hash: string) => Promise<Buffer | undefined>;
  /** Makes a version the newest, if the newest one has the head `known`. False if another replica was faster. */
  readonly replace: (known: string, version: VersionRecord, readBytes: ReadBytes) => Promise<boolean>;
  /** Puts files in again that Redis has lost. */
  readonly repair: (version: VersionRecord, readBytes: ReadBytes) => Promise<void>;
};

/** Redis was told of a version, and did not answer: it may have it. */
export class ToldError extends Error {
  override readonly name = 'ToldError';
  readonly code = 'told';
}

/** Reads a file from the disk, by its hash. */
export type ReadBytes = (hash: string) => Promise<Uint8Array>;

/** All of it is in the memory of Redis, and of each replica that takes it over. */
const MAX_VERSION_BYTES = 200_000_000;
const MAX_RECORD_BYTES = 2_000_000;
/** Redis may be restarted, empty, while files are put in. */
const TRIES = 3;

export function shareVersionsByRedis(redis: Redis, prefix: string): SharedVersions {
  const shared = createSharedRecord({
    redis,
    key: `${prefix}:version`,
    maxTextBytes: MAX_RECORD_BYTES,
    maxObjectBytes: MAX_FILE_BYTES,
  });
  let objects = 0;
  return {
    readHead: async () => {
      const found = await shared.readHead();
      objects = found.objects;
      return found.head;
    },
    read: async (head) => {
      const text = await shared.read(head);
      if (text === undefined) return undefined;
      const record = parseRecord(text);
      // A record that is not written as we write it would never be the same as ours.
      if (record !== undefined && headOf(record) === head) return record;
      // It is as somebody meant it, so this portal must not replace it by its own.
      throw new DeskError(
        'version-damaged',
        'The newest version in Redis was made by a later version of Waypost, or by another program: update this portal.',
      );
    },
    readFile: shared.readObject,
    replace: async (known, version, readBytes) => {
      const hashes = hashesOf(version.files);
      const next = { head: headOf(version), text: writeRecord(version), objects: hashes };
      for (let tries = 0; tries < TRIES; tries += 1) {
        await putMissing(hashes, readBytes);
        const replaced = await shared.replace(known, next).catch((error: unknown) => {
          throw new ToldError(error instanceof Error ? error.message : String(error), { cause: error });
        });
        if (replaced !== 'incomplete') return replaced === 'done';
      }
      return false;
    },
    repair: async ({ files }, readBytes) => {
      const hashes = hashesOf(files);
      if (objects !== hashes.length) await putMissing(hashes, readBytes);
    },
  };

  async function putMissing(hashes: readonly string[], readBytes: ReadBytes): Promise<void> {
    let total = 0;
    for (const hash of await shared.findMissing(hashes)) {
      const bytes = await readBytes(hash);
      total += bytes.length;
      if (bytes.length > MAX_FILE_BYTES || total > MAX_VERSION_BYTES) refuseLarge();
      await shared.putObject(bytes);
    }
  }
}

/** What names a version among replicas. Two versions with the same number may differ: then their heads do, too. */
export function headOf(version: VersionRecord): string {
  return writeHead(version.number, writeRecord(version));
}

/** Reads all files of a version that another replica has made: from the disk, or else from Redis. */
export async function readSharedFiles(
  { files }: VersionRecord,
  { readBytes, readFile }: { readonly readBytes: ReadBytes } & Pick<SharedVersions, 'readFile'>,
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  let total = 0;
  for (const hash of hashesOf(files)) {
    const bytes =
      (await readBytes(hash).catch(() => undefined)) ?? (await readFile(hash)) ?? refuseIncomplete();
    total += bytes.length;
    if (total > MAX_VERSION_BYTES) refuseLarge();
    found.set(hash, Buffer.from(bytes));
  }
  return new Map(Object.entries(files).map(([path, hash]) => [path, found.get(hash) ?? refuseIncomplete()]));
}

/** Always the same text for the same version. */
function writeRecord({ number, at, by, from, why, files }: VersionRecord): string {
  const sorted = Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify({ number, at, by, from, why, files: Object.fromEntries(sorted) });
}

function parseRecord(text: string): VersionRecord | undefined {
  try {
    const record = v.parse(versionSchema, JSON.parse(text));
    const paths = Object.keys(record.files);
    return paths.length <= MAX_FILES && paths.every(isInsideFolder) ? record : undefined;
  } catch {
    return undefined; // Not written by a portal of this version.
  }
}

/** Whoever exports the version writes to these paths. */
function isInsideFolder(path: string): boolean {
  return !isAbsolute(path) && normalize(path) === path && !path.startsWith('..') && !path.includes('\0');
}

function hashesOf(files: Manifest): readonly string[] {
  return [...new Set(Object.values(files))];
}

function refuseIncomplete(): never {
  throw new DeskError('version-damaged', 'Redis does not hold all files of this version yet.');
}

function refuseLarge(): never {
  throw new DeskError(
    'draft-full',
    `All files of a site together may have ${MAX_VERSION_BYTES.toLocaleString('en')} bytes where several portals share it, and one file ${MAX_FILE_BYTES.toLocaleString('en')}: make the images smaller.`,
  );
}
