import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createObjectStore } from '../server/desk/object-store.ts';
import { type VersionStore, openVersionStore } from '../server/desk/version-store.ts';
import { checkFolder } from './given-paths.ts';
import { CommandError, UsageError } from './command.ts';

/** The versions that a portal keeps in its data folder. */
export type KeptVersions = { readonly dir: string; readonly versions: VersionStore };

/** Opens the versions in a data folder, whether or not its portal is running. */
export async function openVersions(dataDir: string): Promise<KeptVersions> {
  const dir = join(dataDir, 'desk');
  await checkFolder('--data', dataDir);
  await becomeOwnerOf(dataDir);
  const objects = createObjectStore(join(dir, 'objects'));
  const versions = await openVersionStore({ dir, objects, now: Date.now });
  if (versions.currentNumber() > 0) return { dir, versions };
  throw new CommandError({
    code: 'no-versions',
    message: `${dataDir} holds no versions: name the data folder of a portal that was started with --edit`,
  });
}

/** Reads the number of a version from the command line. */
export function parseVersion(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`a version is a number such as 12, got "${text}"`);
}

/** What root writes, the portal's own user could not read. */
async function becomeOwnerOf(dir: string): Promise<void> {
  const owner = await stat(dir).catch(() => undefined);
  if (process.getuid?.() !== 0 || owner === undefined || owner.uid === 0) return;
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}
