import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Gives a file to the owner of its folder, if this process may do that. A command that root runs must leave nothing behind
 * that the server's own user cannot read.
 */
export async function giveToOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
}
