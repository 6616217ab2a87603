import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToOwner } from './give-to-owner.ts';

/** Replaces a file as a whole: a reader finds all of the old bytes or all of the new ones, even after a crash. */
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
  await syncFolder(dirname(path));
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
