import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import {
  type LoadedSite,
  type OnLookupFault,
  type SiteSource,
  loadSiteFiles,
  openSiteFolder,
} from '../site/load-site.ts';
import { type SiteFiles, UnsettledFolderError, fingerprintFolder } from '../site/read-site-folder.ts';
import { VersionMovedError, useDisk } from './desk-error.ts';
import { OUTSIDE } from './draft-store.ts';
import { type Manifest, findChanges, hashManifest } from './manifest.ts';
import { hashBytes } from './object-store.ts';
import { type DeskStores, recoverVersion } from './open-desk-stores.ts';
import type { VersionRecord } from './version-store.ts';

export type VersionSourceDeps = {
  readonly siteDir: string;
  readonly stores: DeskStores;
  readonly log: Logger;
  readonly now: () => number;
};

export type VersionSource = SiteSource & {
  /** Looks at the folder again, if its last change could not go live because of Redis or of another portal. */
  readonly lookAgain: () => void;
};

/**
 * Serves the current version. The site folder is where it begins; it is read and never written. A change of the folder
 * goes live as a version of its own, as long as the current version is that of the folder. After somebody has published
 * in the console it becomes a draft instead, because it would undo what they did.
 */
export function createVersionSource({ siteDir, stores, log, now }: VersionSourceDeps): VersionSource {
  const { versions, drafts, outside, inTurn } = stores;
  let isWaiting = false;
  /** Part of the fingerprint, so that the folder counts as changed when it is to be looked at again. */
  let looks = 0;
  let isStarted = false;
  /** False before the first version, and if none can be read any more. */
  let hasVersion = true;
  return {
    dir: siteDir,
    load: async (onLookupFault) => {
      if (!isStarted) {
        hasVersion = (await useDisk(() => recoverVersion(stores, { log, now }))) !== undefined;
        isStarted = hasVersion;
        // A portal starts with the version that it has, even if the folder is broken or gone. A folder that was changed
        // meanwhile is found by the first check, and is then taken up or refused like at any other time.
        if (hasVersion) return loadCurrent(await readIfKnown(), onLookupFault);
      }
      const suffix = looksSuffix();
      const { files: found, faults, fingerprint: seen } = await openSiteFolder(siteDir);
      const fingerprint = seen + suffix;
      const files = withoutAddressFiles(found);
      const loaded = await loadSiteFiles({ files, faults }, siteDir, onLookupFault);
      const commit = await inTurn(() => takeFolder(files));
      isStarted = true;
      if (commit === undefined) return loadCurrent(fingerprint, onLookupFault);
      return { ...loaded, fingerprint, version: versions.currentNumber() + 1, commit };
    },
    readFingerprint: async () => (await fingerprintFolder(siteDir)) + looksSuffix(),
    lookAgain: () => {
      if (isWaiting) looks += 1;
      isWaiting = false;
    },
  };

  function looksSuffix(): string {
    return looks === 0 ? '' : `\n${looks}`;
  }

  async function loadCurrent(fingerprint: string, onLookupFault: OnLookupFault): Promise<LoadedSite> {
    const { number, files: manifest } = await versions.read(versions.currentNumber());
    const files = await versions.readFiles(manifest);
    return { ...(await loadSiteFiles({ files }, siteDir, onLookupFault)), fingerprint, version: number };
  }

  /** The fingerprint of a folder that is as it was last seen; of any other an empty one. */
  async function readIfKnown(): Promise<string> {
    try {
      const { files, fingerprint } = await openSiteFolder(siteDir);
      return hashFolder(withoutAddressFiles(files)) === outside.get().seen ? fingerprint : '';
    } catch {
      return ''; // The first check says what is wrong with it.
    }
  }

  /** Decides what becomes of the folder. Returns what is to be done when it goes live, if it does. */
  async function takeFolder(files: SiteFiles): Promise<(() => Promise<void>) | undefined> {
    const seen = hashFolder(files);
    const known = outside.get();
    if (hasVersion && known.seen === seen) return undefined;
    const number = versions.currentNumber();
    const current = hasVersion ? await versions.read(number) : undefined;
    const manifest = await versions.putFiles(files);
    if (current !== undefined && isDeepStrictEqual(current.files, manifest)) {
      await drafts.remove(OUTSIDE);
      await outside.set({ version: number, seen });
      return undefined;
    }
    if (current === undefined || known.version === number) {
      return () => inTurn(() => commitFolder(files, seen)).catch(waitForOthers);
    }
    await draftFolder(manifest, await readBase(known.version, current));
    await outside.set({ ...known, seen });
    log.warn(
      { version: number },
      'the site folder has changed, but the current version was made in the console: the change waits there as a draft',
    );
    return undefined;
  }

  function waitForOthers(error: unknown): never {
    isWaiting = true;
    // After their version was taken over, the folder may be the same as that.
    if (error instanceof VersionMovedError) {
      throw new UnsettledFolderError('another portal has published meanwhile', { cause: error });
    }
    throw error;
  }

  async function commitFolder(files: SiteFiles, seen: string): Promise<void> {
    const from = hasVersion ? 'outside' : 'start';
    // Once more: unused files may have been removed since they were put in.
    const manifest = await versions.putFiles(files);
    const { number } = await versions.commit({ at: now(), by: '', from, why: '', files: manifest });
    hasVersion = true;
    // From here on it is live, whatever becomes of the rest.
    try {
      await outside.set({ version: number, seen });
      await drafts.remove(OUTSIDE);
    } catch (error) {
      log.error({ err: error }, 'what the server knows of the site folder could not be written');
    }
  }

  /** What the folder was when its changes last went live. */
  async function readBase(version: number, current: VersionRecord): Promise<VersionRecord> {
    return version === 0 ? current : versions.read(version).catch(() => current);
  }

  async function draftFolder(manifest: Manifest, base: VersionRecord): Promise<void> {
    const files = findChanges(base.files, manifest);
    if (Object.keys(files).length === 0) return drafts.remove(OUTSIDE);
    const revision = (drafts.get(OUTSIDE)?.revision ?? 0) + 1;
    await drafts.put({ owner: OUTSIDE, basedOn: base.number, revision, at: now(), files });
  }
}

/** They are read from the site folder, and are too large to be kept with each version. */
function withoutAddressFiles(files: SiteFiles): SiteFiles {
  return new Map([...files].filter(([path]) => !path.endsWith('.mmdb')));
}

function hashFolder(files: SiteFiles): string {
  return hashManifest(Object.fromEntries([...files].map(([path, bytes]) => [path, hashBytes(bytes)])));
}
