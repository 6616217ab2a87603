import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type DeskStores, openDeskStores } from '../server/desk/open-desk-stores.ts';
import { findDatabaseFile } from '../server/store/open-database.ts';
import { checkFolder } from './given-paths.ts';
import { CommandError, UsageError } from './command.ts';
import { readDatabasePlace } from './read-database-place.ts';
import { useDatabase } from './use-database.ts';
import { parseVersionNumber } from '../server/desk/create-version-store.ts';

/** The versions of a portal. */
export type KeptVersions = Pick<DeskStores, 'versions' | 'files'> & {
  /** The number of the version that is live. */
  readonly current: number;
};

/** Opens the versions of a portal for a command, whether or not the portal is running. */
export async function useVersions<T>(dataDir: string, work: (kept: KeptVersions) => Promise<T>): Promise<T> {
  const place = readDatabasePlace(dataDir, process.env);
  if (place.url === undefined) {
    await checkFolder('--data', dataDir);
    await becomeOwnerOf(dataDir);
    if (!existsSync(findDatabaseFile(dataDir))) refuseEmpty(dataDir);
  }
  return useDatabase(place, async (database) => {
    const stores = openDeskStores({ database, siteDir: '', now: Date.now });
    const current = await stores.versions.currentNumber();
    if (current === 0) refuseEmpty(dataDir);
    return work({ ...stores, current });
  });
}

/** Reads the number of a version from the command line. */
export function parseVersion(text: string): number {
  const number = parseVersionNumber(text);
  if (number === undefined) throw new UsageError(`a version is a number such as 12, got "${text}"`);
  return number;
}

/** What root writes, the portal's own user could not read. */
async function becomeOwnerOf(dir: string): Promise<void> {
  const owner = await stat(dir).catch(() => undefined);
  if (process.getuid?.() !== 0 || owner === undefined || owner.uid === 0) return;
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}

function refuseEmpty(dataDir: string): never {
  throw new CommandError({
    code: 'no-versions',
    message: `${dataDir} holds no versions: name the data folder of a portal that was started with --edit`,
  });
}
