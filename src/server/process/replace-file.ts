import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToOwner } from './give-to-owner.ts';

/** The file has its new bytes, but the disk did not confirm its name: after a loss of power it may be the old one again. */
export class UnsyncedError extends Error {
  override readonly name = 'UnsyncedError';
  readonly code = 'unsynced';
}

/** Replaces a file as a whole: whoever reads it, even after a crash, finds all of the old bytes or all of the new. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  // Always the same name, so that the next write overwrites what a crash left behind.
  const unfinished = `${path}.tmp`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await giveToOwner(unfinished);
  await rename(unfinished, path);
  await syncFolder(dirname(path)).catch((error: unknown) => {
    throw new UnsyncedError(`${path} was replaced, but its folder cannot be synced`, { cause: error });
  });
}

/** The new name, too, must be on the disk. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
