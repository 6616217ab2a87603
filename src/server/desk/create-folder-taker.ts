import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { DeskError, VersionMovedError } from './desk-error.ts';
import { FOLDER_DRAFT } from './create-draft-store.ts';
import { hashBytes } from './create-file-store.ts';
import { type Manifest, findChanges, hashManifest } from './manifest.ts';
import type { DeskStores } from './open-desk-stores.ts';
import type { VersionRecord } from './create-version-store.ts';

/** The version that a change of the folder becomes, and how it goes live. */
export type FolderVersion = {
  readonly number: number;
  /** `isFirst` is false if two portals start for the first time, and the version of the other one was there before. */
  readonly commit: () => Promise<{ readonly isFirst: boolean }>;
};

export type FolderTakerDeps = {
  readonly stores: DeskStores;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => number;
};

export type FolderTaker = {
  /** Decides what becomes of the folder as it is now: nothing, a draft, or the version that it returns. */
  readonly take: (files: SiteFiles, start: StartState) => Promise<FolderVersion | undefined>;
};

/** What this portal found when it looked for a version to begin with. */
export type StartState = {
  /** False until there is a version that can be served. */
  readonly hasVersion: boolean;
  /** There was no version, not even a damaged one. Another portal may have made the first one since. */
  readonly wasEmpty: boolean;
};

/** Takes up what was changed in the site folder. */
export function createFolderTaker({ stores, log, now }: FolderTakerDeps): FolderTaker {
  const { versions, files: store, drafts, folder } = stores;
  return { take };

  async function take(
    files: SiteFiles,
    { hasVersion, wasEmpty }: StartState,
  ): Promise<FolderVersion | undefined> {
    const seen = hashFolder(files);
    const known = await folder.get();
    if (hasVersion && known.seen === seen) return undefined;
    const current = hasVersion ? await versions.findCurrent() : undefined;
    const after = current?.number ?? (wasEmpty ? 0 : await versions.currentNumber());
    const manifest = await store.putFiles(files);
    if (current !== undefined && isDeepStrictEqual(current.files, manifest)) {
      await drafts.remove(FOLDER_DRAFT);
      await folder.set({ version: after, seen });
      return undefined;
    }
    if (current === undefined || known.version === after) {
      return { number: after + 1, commit: () => commitFolder(manifest, { seen, after, hasVersion }) };
    }
    // The folder of a portal that is new may be the same as that of another one.
    const same = known.seen === '' ? await folder.find(seen) : undefined;
    if (same === undefined) await draftFolder(manifest, await readBase(known.version, current));
    await folder.set(same ?? { ...known, seen });
    return undefined;
  }

  async function commitFolder(
    files: Manifest,
    {
      seen,
      after,
      hasVersion,
    }: { readonly seen: string; readonly after: number; readonly hasVersion: boolean },
  ): Promise<{ readonly isFirst: boolean }> {
    const from = hasVersion ? 'folder' : 'start';
    const { place } = folder;
    try {
      await versions.commit({ after, at: now(), by: '', from, why: '', files, folder: { seen, place } });
      return { isFirst: true };
    } catch (error) {
      if (!(error instanceof VersionMovedError) || after > 0) throw error;
      return { isFirst: false };
    }
  }

  /** What the folder was when its changes last went live. */
  async function readBase(version: number, current: VersionRecord): Promise<VersionRecord> {
    if (version === 0) return current;
    return versions.read(version).catch((error: unknown) => {
      if (error instanceof DeskError) return current;
      throw error;
    });
  }

  async function draftFolder(manifest: Manifest, base: VersionRecord): Promise<void> {
    const files = findChanges(base.files, manifest);
    if (Object.keys(files).length === 0) return drafts.remove(FOLDER_DRAFT);
    const known = await drafts.get(FOLDER_DRAFT);
    const revision = (known?.revision ?? 0) + 1;
    const draft = { owner: FOLDER_DRAFT, since: undefined, basedOn: base.number, revision, at: now(), files };
    await drafts.put(draft, known);
    log.warn(
      { version: base.number },
      'the site folder has changed, but the current version was made in the console: the change waits there as a draft',
    );
  }
}

export function hashFolder(files: SiteFiles): string {
  return hashManifest(Object.fromEntries([...files].map(([path, bytes]) => [path, hashBytes(bytes)])));
}
