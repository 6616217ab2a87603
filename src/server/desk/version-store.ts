import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type DeskVersion, deskVersionEntries } from '../../contract/desk/desk.ts';
import { DAY_MS } from '../../contract/limits.ts';
import { UnsyncedError, replaceFile } from '../process/replace-file.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { readCode } from '../process/read-code.ts';
import { readDataFile } from '../process/read-data-file.ts';
import { DeskError } from './desk-error.ts';
import type { Manifest } from './manifest.ts';
import { type ObjectStore, type WriteFile, listNames } from './object-store.ts';

/** A version with its files. */
export type VersionRecord = DeskVersion & { readonly files: Manifest };

/** Every version that went live, whole. One process writes at a time, see `holdDesk`. */
export type VersionStore = {
  /** The number of the version that is served; 0 before the first. */
  readonly currentNumber: () => number;
  /** Newest first. A version that cannot be read is not listed. */
  readonly list: () => Promise<readonly DeskVersion[]>;
  /** Throws if there is no such version, or if it is damaged. */
  readonly read: (number: number) => Promise<VersionRecord>;
  readonly readFiles: (manifest: Manifest) => Promise<SiteFiles>;
  /** The JSON files. Of every other file its hash, which is all that a comparison needs. */
  readonly readOutline: (manifest: Manifest) => Promise<SiteFiles>;
  readonly sizeOf: ObjectStore['sizeOf'];
  /** Finds a file of any version that is kept. */
  readonly findFile: ObjectStore['find'];
  /** Puts files into the store, and returns their hashes. */
  readonly putFiles: (files: SiteFiles) => Promise<Manifest>;
  /** Keeps a version and makes it the current one. Whatever stops it, the current version is the old or the new one. */
  readonly commit: (version: Omit<VersionRecord, 'number'>) => Promise<VersionRecord>;
  /** Does the same with a version that has its number already, because another replica has made it. */
  readonly adopt: (version: VersionRecord) => Promise<VersionRecord>;
  /** Removes versions that are neither among the last 200 nor of the last 90 days nor in use, and files of none. */
  readonly prune: (inUse: {
    readonly numbers: ReadonlySet<number>;
    /** Undefined if not all of them are known: then no file is removed. */
    readonly hashes: readonly string[] | undefined;
  }) => Promise<void>;
};

export type VersionStoreDeps = {
  readonly dir: string;
  readonly objects: ObjectStore;
  readonly now: () => number;
  readonly write?: WriteFile;
};

const POINTER = 'current';
const KEEP_COUNT = 200;
const KEEP_MS = 90 * DAY_MS;

const hash = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/));
export const versionSchema = v.object({ ...deskVersionEntries, files: v.record(v.string(), hash) });

export async function openVersionStore({
  dir,
  objects,
  now,
  write = replaceFile,
}: VersionStoreDeps): Promise<VersionStore> {
  const folder = join(dir, 'versions');
  const pathOf = (number: number): string => join(folder, `${number}.json`);
  /** What was read for the list: a version never changes. */
  const listed = new Map<number, DeskVersion>();
  let current = (await readPointer()) ?? Math.max(0, ...(await listNumbers()));

  return {
    currentNumber: () => current,
    list: async () => {
      const found: DeskVersion[] = [];
      // One after the other: there may be thousands, and a process may have only so many files open.
      for (const number of await listNumbers()) {
        const version = number <= current ? await readListed(number) : undefined;
        if (version !== undefined) found.push(version);
      }
      return found;
    },
    read,
    readFiles: async (manifest) => {
      const entries = Object.entries(manifest).map(
        async ([path, hashed]) => [path, await objects.get(hashed)] as const,
      );
      return new Map(await Promise.all(entries));
    },
    readOutline: async (manifest) => {
      const entries = Object.entries(manifest).map(
        async ([path, hashed]) =>
          [path, path.endsWith('.json') ? await objects.get(hashed) : Buffer.from(hashed)] as const,
      );
      return new Map(await Promise.all(entries));
    },
    sizeOf: objects.sizeOf,
    findFile: objects.find,
    putFiles: async (files) => {
      const manifest = new Map<string, string>();
      // One after the other: two files with the same bytes are one file here.
      for (const [path, bytes] of files) manifest.set(path, await objects.put(bytes));
      return Object.fromEntries(manifest);
    },
    commit: (version) => keep({ number: current + 1, ...version }),
    adopt: keep,
    prune: async ({ numbers, hashes }) => {
      const used = new Set(hashes);
      let isComplete = hashes !== undefined;
      for (const [index, number] of (await listNumbers()).entries()) {
        const version = await read(number).catch(() => undefined);
        // What cannot be read now may be readable later, and its files must be there then.
        if (version === undefined) isComplete = false;
        else if (index < KEEP_COUNT || numbers.has(number) || version.at >= now() - KEEP_MS) {
          for (const hashed of Object.values(version.files)) used.add(hashed);
        } else {
          await rm(pathOf(number), { force: true });
          listed.delete(number);
        }
      }
      if (isComplete) await objects.keepOnly(used);
    },
  };

  async function keep(version: VersionRecord): Promise<VersionRecord> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await write(pathOf(version.number), Buffer.from(`${JSON.stringify(version, null, 2)}\n`));
    // Until this is done, the version above does not count: the next commit replaces it.
    const pointing = write(join(dir, POINTER), Buffer.from(`${version.number}\n`));
    // Whoever reads the disk finds the new version, although the disk has a fault.
    const fault = await pointing.catch((error: unknown) => {
      if (error instanceof UnsyncedError) return error;
      throw error;
    });
    current = version.number;
    listed.set(current, withoutFiles(version));
    if (fault) throw fault;
    return version;
  }

  async function readListed(number: number): Promise<DeskVersion | undefined> {
    const known = listed.get(number);
    if (known !== undefined) return known;
    const found = await read(number).then(withoutFiles, () => undefined);
    if (found !== undefined) listed.set(number, found);
    return found;
  }

  /** Undefined if the pointer is missing or damaged. */
  async function readPointer(): Promise<number | undefined> {
    const text = await readDataFile(join(dir, POINTER)).catch((error: unknown) => {
      if (readCode(error) === 'ENOENT') return '';
      throw error;
    });
    return /^[1-9]\d{0,8}\n$/.test(text) ? Number(text) : undefined;
  }

  /** Newest first. */
  async function listNumbers(): Promise<readonly number[]> {
    const numbers = (await listNames(folder)).flatMap((name) => /^([1-9]\d*)\.json$/.exec(name)?.[1] ?? []);
    return numbers.map(Number).toSorted((a, b) => b - a);
  }

  async function read(number: number): Promise<VersionRecord> {
    let text: string;
    try {
      text = await readDataFile(pathOf(number));
    } catch (error) {
      if (readCode(error) !== 'ENOENT') throw error;
      throw new DeskError('unknown-version', `There is no version ${number}.`, { cause: error });
    }
    try {
      return v.parse(versionSchema, JSON.parse(text));
    } catch (error) {
      throw new DeskError('version-damaged', `Version ${number} is damaged on the disk: ${pathOf(number)}.`, {
        cause: error,
      });
    }
  }
}

export function withoutFiles({ number, at, by, from, why }: VersionRecord): DeskVersion {
  return { number, at, by, from, why };
}
