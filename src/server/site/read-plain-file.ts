import { type Stats, constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { describeFact } from '../../contract/faults/describe-site-fault.ts';
import type { Fact } from '../../contract/faults/site-fault.ts';
import type { NoFile } from '../../contract/faults/texts/en.ts';

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
    if (fault !== undefined) throw new PlainFileError(describeFact(fault, 'en'));
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Why something cannot be read as a file; undefined where it can. */
export function findFileFault(found: Stats, maxBytes: number): Fact | undefined {
  if (!found.isFile()) return { kind: 'not-a-file', found: nameKind(found) };
  return found.size > maxBytes ? { kind: 'file-too-large', most: maxBytes, found: found.size } : undefined;
}

function nameKind(found: Stats): NoFile {
  if (found.isFIFO()) return 'pipe';
  if (found.isSocket()) return 'socket';
  if (found.isDirectory()) return 'folder';
  return 'device';
}
