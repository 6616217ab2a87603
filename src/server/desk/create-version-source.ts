import type { Logger } from 'pino';
import {
  type LoadedSite,
  type OnLookupFault,
  type SiteSource,
  loadSiteFiles,
  openSiteFolder,
} from '../site/load-site.ts';
import { type SiteFiles, UnsettledFolderError, fingerprintFolder } from '../site/read-site-folder.ts';
import { StoreAwayError, isStoreError } from '../store/database.ts';
import type { LastGood } from '../store/open-last-good.ts';
import { DeskError, VersionMovedError } from './desk-error.ts';
import { DraftMovedError } from './create-draft-store.ts';
import { type FolderVersion, createFolderTaker, hashFolder } from './create-folder-taker.ts';
import type { DeskStores } from './open-desk-stores.ts';
import { type VersionCopy, readCopy } from './version-copy.ts';

export type VersionSourceDeps = {
  readonly siteDir: string;
  readonly stores: DeskStores;
  /** What is served if the database is away at the start. */
  readonly lastGood: LastGood;
  /** Whether the database answers. */
  readonly isUp: () => boolean;
  readonly log: Logger;
  readonly now: () => number;
};

export type VersionSource = SiteSource & {
  /** True if the served content may differ from the live version, even if its number is the same. */
  readonly isBehind: () => boolean;
  readonly setBehind: (isBehind: boolean) => void;
};

/** A change of the folder that could not be taken up is tried again after this long. */
const LOOK_AGAIN_MS = 2_000;

/**
 * Serves the current version. The site folder is where it begins; it is read and never written. A change of the folder
 * goes live as a version of its own, as long as the current version is that of the folder. After somebody has published
 * in the console it becomes a draft instead, because it would undo what they did.
 */
export function createVersionSource(deps: VersionSourceDeps): VersionSource {
  const { siteDir, stores } = deps;
  const taker = createFolderTaker(deps);
  const looks = createLooks(deps);
  let isStarted = false;
  /** False before the first version, and if none can be read any more. */
  let hasVersion = true;
  let wasEmpty = false;
  let isBehind = false;
  return {
    dir: siteDir,
    load: async (onLookupFault) => {
      if (!isStarted) {
        const { version, isEmpty } = await findStart(deps, () => (isBehind = true));
        hasVersion = version !== undefined;
        wasEmpty = isEmpty;
        isStarted = hasVersion;
        // A portal starts with the version that it has, even if the folder is broken or gone. A folder that was changed
        // meanwhile is found by the first check, and is then taken up or refused like at any other time.
        if (version !== undefined)
          return loadVersion(version, { siteDir, fingerprint: await readIfKnown(), onLookupFault });
      }
      const { files: found, faults, fingerprint: seen } = await openSiteFolder(siteDir);
      const fingerprint = looks.mark(seen);
      const files = withoutAddressFiles(found);
      const loaded = await loadSiteFiles({ files, faults }, siteDir, onLookupFault);
      const taken = await taker.take(files, { hasVersion, wasEmpty }).catch(lookLater);
      isStarted = true;
      if (taken !== undefined) {
        return {
          ...loaded,
          fingerprint,
          version: taken.number,
          commit: () => commitFolder(taken).catch(lookLater),
        };
      }
      return loadVersion(await readCurrent(stores), { siteDir, fingerprint, onLookupFault });
    },
    readFingerprint: async () => {
      looks.countIfDue();
      return looks.mark(await fingerprintFolder(siteDir));
    },
    isBehind: () => isBehind,
    setBehind: (behind) => void (isBehind = behind),
  };

  /** The fingerprint of a folder that is as it was last seen; of any other an empty one. */
  async function readIfKnown(): Promise<string> {
    try {
      const { files, fingerprint } = await openSiteFolder(siteDir);
      // Without the database the folder counts as known, and is looked at again in 2 s.
      if (isBehind) looks.plan(LOOK_AGAIN_MS);
      const isKnown = isBehind || hashFolder(withoutAddressFiles(files)) === (await stores.folder.get()).seen;
      return isKnown ? fingerprint : '';
    } catch {
      return ''; // The first check says what is wrong with it.
    }
  }

  async function commitFolder(taken: FolderVersion): Promise<void> {
    const { isFirst } = await taken.commit();
    if (!isFirst) {
      // The version of the other portal is served in a moment, and then this folder is compared with it.
      isBehind = true;
      looks.plan(0);
    }
    hasVersion = true;
  }

  /** Looks at the folder again in 2 s if the error may be gone by then. */
  function lookLater(error: unknown): never {
    const isMoved = error instanceof VersionMovedError || error instanceof DraftMovedError;
    if (isMoved || isStoreError(error)) looks.plan(LOOK_AGAIN_MS);
    // After their version is served, the folder may be the same as that.
    if (isMoved) throw new UnsettledFolderError('somebody has published meanwhile', { cause: error });
    throw error;
  }
}

/** When the folder is looked at again, because its last change could not be taken up. */
function createLooks({ isUp, now }: Pick<VersionSourceDeps, 'isUp' | 'now'>) {
  let lookAt = Infinity;
  let count = 0;
  return {
    plan: (afterMs: number): void => void (lookAt = now() + afterMs),
    countIfDue: (): void => {
      if (now() < lookAt || !isUp()) return;
      count += 1;
      lookAt = Infinity;
    },
    /** Makes the count a part of the fingerprint, so that the folder counts as changed after each look. */
    mark: (fingerprint: string): string => (count === 0 ? fingerprint : `${fingerprint}\n${count}`),
  };
}

async function readCurrent({ versions, files: store }: DeskStores): Promise<VersionCopy> {
  const { number, files } = await versions.readCurrent();
  return { number, files: await store.readFiles(files) };
}

async function loadVersion(
  { number, files }: VersionCopy,
  {
    siteDir,
    fingerprint,
    onLookupFault,
  }: { readonly siteDir: string; readonly fingerprint: string; readonly onLookupFault: OnLookupFault },
): Promise<LoadedSite> {
  return { ...(await loadSiteFiles({ files }, siteDir, onLookupFault)), fingerprint, version: number };
}

/** Finds the version to begin with: the newest that is whole. `isEmpty` is true if there is no version at all, not even a damaged one. */
async function findStart(
  deps: VersionSourceDeps,
  onAway: () => void,
): Promise<{ readonly version: VersionCopy | undefined; readonly isEmpty: boolean }> {
  const { stores, lastGood, log } = deps;
  try {
    const kept = await stores.versions.list();
    const isEmpty = kept.length === 0;
    for (const { number } of kept) {
      const version = await readWhole(number, deps);
      if (version !== undefined) return { version, isEmpty };
    }
    return { version: undefined, isEmpty };
  } catch (error) {
    if (!(error instanceof StoreAwayError)) throw error;
    const copy = await readCopy(lastGood);
    if (copy === undefined) {
      throw new StoreAwayError(
        `${error.message}. This portal has no copy of the site that it could serve meanwhile: start it again when the database is back`,
        { cause: error },
      );
    }
    log.warn({ version: copy.number }, 'the database is away: the last good copy of the site is served');
    onAway();
    return { version: copy, isEmpty: false };
  }
}

async function readWhole(
  number: number,
  { stores: { versions, files }, log }: VersionSourceDeps,
): Promise<VersionCopy | undefined> {
  try {
    return { number, files: await files.readFiles((await versions.read(number)).files) };
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    log.error({ err: error, version: number }, 'a version is damaged: the one before it is served');
    return undefined;
  }
}

/** They are read from the site folder, and are too large to be kept with each version. */
function withoutAddressFiles(files: SiteFiles): SiteFiles {
  return new Map([...files].filter(([path]) => !path.endsWith('.mmdb')));
}
