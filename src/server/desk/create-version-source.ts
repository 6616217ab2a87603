import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { type SiteSource, loadSiteFiles, openSiteFolder } from '../site/load-site.ts';
import { type SiteFiles, fingerprintFolder } from '../site/read-site-folder.ts';
import { useDisk } from './desk-error.ts';
import { OUTSIDE } from './draft-store.ts';
import { hashBytes } from './object-store.ts';
import { type DeskStores, recoverVersion } from './open-desk-stores.ts';
import type { Manifest, VersionRecord } from './version-store.ts';

export type VersionSourceDeps = {
  readonly siteDir: string;
  readonly stores: DeskStores;
  readonly log: Logger;
  readonly now: () => number;
};

/**
 * Serves the current version. The site folder is where it begins; it is read and never written. A change of the folder
 * goes live as a version of its own, as long as the current version is that of the folder. After somebody has published
 * in the console it becomes a draft instead, because it would undo what they did.
 */
export function createVersionSource({ siteDir, stores, log, now }: VersionSourceDeps): SiteSource {
  const { versions, drafts, outside, inTurn } = stores;
  let isStarted = false;
  /** False before the first version, and if none can be read any more. */
  let hasVersion = true;
  return {
    dir: siteDir,
    load: async (onLookupFault) => {
      if (!isStarted) {
        hasVersion = (await useDisk(() => recoverVersion({ versions }, { log, now }))) !== undefined;
      }
      let fingerprint = '';
      try {
        const folder = await openSiteFolder(siteDir);
        await loadSiteFiles(folder, siteDir, onLookupFault);
        await useDisk(() => inTurn(() => takeFolder(withoutAddressFiles(folder.files))));
        fingerprint = folder.fingerprint;
      } catch (error) {
        // A broken folder does not keep a portal from starting with the version that it has. The empty fingerprint lets
        // the first check of the folder find it changed, and refuse it as any other change.
        if (isStarted || !hasVersion) throw error;
      }
      isStarted = true;
      const current = await versions.read(versions.currentNumber());
      const files = await versions.readFiles(current.files);
      return {
        ...(await loadSiteFiles({ files }, siteDir, onLookupFault)),
        fingerprint,
        version: current.number,
      };
    },
    readFingerprint: () => fingerprintFolder(siteDir),
  };

  async function takeFolder(files: SiteFiles): Promise<void> {
    const hashes = [...files].map(([path, bytes]) => [path, hashBytes(bytes)] as const);
    const seen = hashManifest(Object.fromEntries(hashes));
    const known = outside.get();
    if (hasVersion && known.seen === seen) return;
    const number = versions.currentNumber();
    const current = hasVersion ? await versions.read(number) : undefined;
    const manifest = await versions.putFiles(files);
    if (current !== undefined && isDeepStrictEqual(current.files, manifest)) {
      await drafts.remove(OUTSIDE);
      await outside.set({ version: number, seen });
    } else if (current === undefined || known.version === number) {
      const from = current === undefined ? 'start' : 'outside';
      const committed = await versions.commit({ at: now(), by: '', from, why: '', files: manifest });
      hasVersion = true;
      await drafts.remove(OUTSIDE);
      await outside.set({ version: committed.number, seen });
    } else {
      await draftFolder(manifest, await readBase(known.version, current));
      await outside.set({ ...known, seen });
      log.warn(
        { version: number },
        'the site folder has changed, but the current version was made in the console: the change waits there as a draft',
      );
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

/** The files that differ, as a draft has them. */
export function findChanges(base: Manifest, wanted: Manifest): Readonly<Record<string, string | null>> {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(wanted)])];
  const changed = paths.filter((path) => base[path] !== wanted[path]);
  return Object.fromEntries(changed.map((path) => [path, wanted[path] ?? null]));
}

/** They are read from the site folder, and are too large to be kept with each version. */
function withoutAddressFiles(files: SiteFiles): SiteFiles {
  return new Map([...files].filter(([path]) => !path.endsWith('.mmdb')));
}

/** The same for the same files. */
export function hashManifest(manifest: Manifest): string {
  const entries = Object.entries(manifest).map((entry) => entry.join(' '));
  return hashBytes(Buffer.from(entries.toSorted().join('\n')));
}
