import { type Stats, constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Something that is not a file to be read: a pipe, a device, a folder, or too large. The message names what it is. */
export class PlainFileError extends Error {
  override readonly name = 'PlainFileError';
  readonly code = 'plain-file';
}

/** Reads a file. It refuses a pipe, because a pipe may never end, and a file that is too large. */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer> {
  // Without this flag, opening a pipe waits until somebody writes to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const fault = findFileFault(await file.stat(), maxBytes);
    if (fault !== undefined) throw new PlainFileError(fault);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Why something cannot be read as a file; undefined where it can. */
export function findFileFault(found: Stats, maxBytes: number): string | undefined {
  if (!found.isFile()) return `it must be a plain file, and is ${nameKind(found)}`;
  if (found.size > maxBytes) {
    return `it may have at most ${maxBytes.toLocaleString('en')} bytes, and has ${found.size.toLocaleString('en')}`;
  }
  return undefined;
}

function nameKind(found: Stats): string {
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  if (found.isDirectory()) return 'a folder';
  return 'a device';
}
