import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { replaceFile } from '../process/replace-file.ts';
import { type InTurn, takeTurns } from '../process/take-turns.ts';
import { DeskError, useDisk } from './desk-error.ts';
import { type DraftStore, openDraftStore } from './draft-store.ts';
import { type WriteFile, createObjectStore } from './object-store.ts';
import { type VersionRecord, type VersionStore, openVersionStore } from './version-store.ts';

/** Everything that a desk keeps on the disk. */
export type DeskStores = {
  readonly versions: VersionStore;
  readonly drafts: DraftStore;
  /** What the server knows of the site folder. */
  readonly outside: OutsideStore;
  /** True if other replicas have the same versions. */
  readonly isShared?: boolean;
  /**
   * Runs a job that changes these stores, after those before it: one who removes unused files must not meet one who has just
   * put one in. What the disk refuses, or does not answer, becomes an error that names it.
   */
  readonly inTurn: InTurn;
};

/** How the site folder and the versions are related. */
export type OutsideRecord = v.InferOutput<typeof outsideSchema>;

type OutsideStore = {
  readonly get: () => OutsideRecord;
  readonly set: (record: OutsideRecord) => Promise<void>;
};

const outsideSchema = v.object({
  /** The last version that was the same as the folder; 0 before the first. */
  version: v.number(),
  /** A hash of the folder as it was last seen. */
  seen: v.string(),
});

export type DeskStoresOptions = {
  /** The desk's own folder in the data folder. */
  readonly dir: string;
  readonly log: Logger;
  readonly now: () => number;
  readonly write?: WriteFile;
};

export function openDeskStores({
  dir,
  log,
  now,
  write = replaceFile,
}: DeskStoresOptions): Promise<DeskStores> {
  const takeTurn = takeTurns();
  return useDisk(async () => ({
    versions: await openVersionStore({
      dir,
      objects: createObjectStore(join(dir, 'objects'), write),
      now,
      write,
    }),
    drafts: await openDraftStore({ dir, log, write }),
    outside: await openOutsideStore(join(dir, 'outside.json'), write),
    inTurn: (job) => useDisk(() => takeTurn(job)),
  }));
}

/**
 * Finds the version to serve. If the current one is damaged, it is the newest that is whole, and that becomes current.
 * Undefined if there is none.
 */
export async function recoverVersion(
  { versions, isShared = false }: Pick<DeskStores, 'versions' | 'isShared'>,
  { log, now }: { readonly log: Logger; readonly now: () => number },
): Promise<VersionRecord | undefined> {
  const wanted = versions.currentNumber();
  for (let number = wanted; number > 0; number -= 1) {
    try {
      const version = await versions.read(number);
      await versions.readFiles(version.files);
      if (number === wanted) return version;
      log.error(
        { damaged: wanted, version: number },
        'the current version is damaged: an earlier one is served',
      );
      // Under its own number, so that the whole version that the others have is newer.
      if (isShared) return await versions.adopt(version);
      const why = `version ${wanted} is damaged`;
      return await versions.commit({ at: now(), by: '', from: 'rollback', why, files: version.files });
    } catch (error) {
      // One that was removed because it was old is no news.
      const isMissing = error instanceof DeskError && error.code === 'unknown-version' && number !== wanted;
      if (!isMissing) log.error({ err: error, version: number }, 'a version cannot be read');
    }
  }
  return undefined;
}

async function openOutsideStore(path: string, write: WriteFile): Promise<OutsideStore> {
  let record = await readRecord(path);
  return {
    get: () => record,
    set: async (next) => {
      if (next.version === record.version && next.seen === record.seen) return;
      await write(path, Buffer.from(`${JSON.stringify(next)}\n`));
      record = next;
    },
  };
}

/** Without it, the folder is compared with the current version, as at the first start. */
async function readRecord(path: string): Promise<OutsideRecord> {
  try {
    return v.parse(outsideSchema, JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return { version: 0, seen: '' };
  }
}
