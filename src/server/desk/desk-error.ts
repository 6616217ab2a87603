import type { DeskCode } from '../../contract/error-codes.ts';

/** Why the desk did not do what it was asked. The message is a whole sentence, and nothing has changed. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: DeskCode;
  /** What the console shows beside the sentence. */
  readonly details: object;

  constructor(code: DeskCode, message: string, { details = {}, ...options }: DeskErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

type DeskErrorOptions = ErrorOptions & { readonly details?: object };

/** Another replica has published since this one looked. */
export class VersionMovedError extends Error {
  override readonly name = 'VersionMovedError';
  readonly code = 'version-moved';
}

/** Runs a job that uses the data folder. What the disk refuses becomes an error that names it. */
export async function useDisk<T>(job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof DeskError || !(error instanceof Error && 'syscall' in error)) throw error;
    const reason = DISK_REASONS.get(readCode(error)) ?? error.message;
    throw new DeskError('data-folder', `The data folder cannot be used: ${reason}. Nothing was changed.`, {
      cause: error,
    });
  }
}

const DISK_REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'its disk is full'],
  ['EDQUOT', 'its disk is full'],
  ['EROFS', 'it is read-only'],
  ['EACCES', 'the user who runs the server may not write to it'],
  ['EPERM', 'the user who runs the server may not write to it'],
]);

export function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
