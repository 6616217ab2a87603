import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Coded, CommandCode } from '../contract/error-codes.ts';
import { isMissing, readCode } from '../contract/read-code.ts';
import { DISK_LIMIT_MS, withDeadline } from '../server/process/with-deadline.ts';
import { UsageError } from './command.ts';

/** Node's codes for what this user may not do. */
const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Refuses a path that can be no folder, before a command works with it. One that is not there yet is in order, because it can
 * be made. `name` is what the help calls it: "--data" or "DIR".
 */
export async function checkFolder(name: string, path: string): Promise<void> {
  const fault = path === '' ? 'write its path' : findFolderFault(await look(path));
  if (fault !== undefined) throw new UsageError(`${name} must be a folder, got "${path}": ${fault}`);
}

/** Refuses a path at which there is no file to be read. */
export async function checkFile(name: string, path: string): Promise<void> {
  const found = await look(path);
  if (found === 'file') return;
  const fault = found === 'folder' ? 'this is a folder' : 'there is no such file';
  throw new UsageError(`${name} must be a file, got "${path}": ${fault}`);
}

/** Refuses a path at which no file can be written. The folder that it is in must be there. */
export async function checkNewFile(name: string, path: string): Promise<void> {
  if ((await look(path)) === 'folder') {
    throw new UsageError(
      `${name} must be a file, got "${path}": this is a folder, so add the name of a file in it`,
    );
  }
  const above = dirname(path);
  if ((await look(above)) === 'folder') return;
  throw new UsageError(
    `${name} must be in a folder that is there, got "${path}": make the folder "${above}" first, or write another path`,
  );
}

/** Says in words that this user may not use a file or folder. Undefined for any other error. */
export function explainDenied(error: unknown): Coded<CommandCode> | undefined {
  if (!(error instanceof Error && 'path' in error && DENIED.has(readCode(error)))) return undefined;
  const message = `this user may not use ${String(error.path)}: correct its rights, run the command as another user, or name another path`;
  return { code: 'no-access', message };
}

/** What is at a path. */
type Found = 'folder' | 'file' | 'nothing' | 'below a file';

function findFolderFault(found: Found): string | undefined {
  switch (found) {
    case 'folder':
    case 'nothing':
      return undefined;
    case 'file':
      return 'this is a file';
    case 'below a file':
      return 'a part of it is a file';
  }
}

async function look(path: string): Promise<Found> {
  const looking = stat(path).then(
    (found): Found => (found.isDirectory() ? 'folder' : 'file'),
    (error: unknown): Found => {
      if (isMissing(error)) return 'nothing';
      if (readCode(error) === 'ENOTDIR') return 'below a file';
      throw error;
    },
  );
  return withDeadline(looking, DISK_LIMIT_MS, `${path} does not answer`);
}
