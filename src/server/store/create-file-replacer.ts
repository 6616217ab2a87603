import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './replace-file.ts';
import { DeadlineError } from '../process/with-deadline.ts';

/**
 * Replaces one file again and again. A caller may stop waiting, but a write that hangs cannot be stopped: until it ends, all
 * other writes are refused. They would hang, too, and would write into the same unfinished file.
 */
export function createFileReplacer(path: string): (bytes: Uint8Array) => Promise<void> {
  let isWriting = false;
  return async (bytes) => {
    if (isWriting) throw new DeadlineError(`${path} is still being written`);
    isWriting = true;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFile(path, bytes);
    } finally {
      isWriting = false;
    }
  };
}
