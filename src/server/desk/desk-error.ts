import type { DeskCode } from '../../contract/error-codes.ts';
import { readCode } from '../process/read-code.ts';
import { UnsyncedError } from '../process/replace-file.ts';
import { DeadlineError, withDeadline } from '../process/with-deadline.ts';

/** Why the desk did not do what it was asked. The message is a whole sentence, and nothing has changed, unless `mayBeDone`. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: DeskCode;
  /** What the console shows beside the sentence. */
  readonly details: object;
  /** True if nobody knows whether the change was made, or if it was made and something failed after it. */
  readonly mayBeDone: boolean;

  constructor(
    code: DeskCode,
    message: string,
    { details = {}, mayBeDone = false, ...options }: DeskErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
    this.mayBeDone = mayBeDone;
  }
}

type DeskErrorOptions = ErrorOptions & { readonly details?: object; readonly mayBeDone?: boolean };

/** Another replica has published since this one looked. */
export class VersionMovedError extends Error {
  override readonly name = 'VersionMovedError';
  readonly code = 'version-moved';
}

/** Longer than the smaller formats of a large image take. */
const DESK_DISK_LIMIT_MS = 120_000;
const NO_ANSWER = 'the disk does not answer';

/** Runs a job that uses the data folder. What the disk refuses, or does not answer, becomes an error that names it. */
export async function useDisk<T>(job: () => Promise<T>, limitMs = DESK_DISK_LIMIT_MS): Promise<T> {
  try {
    return await withDeadline(job(), limitMs, NO_ANSWER);
  } catch (error) {
    // Redis has deadlines of its own.
    if (error instanceof DeadlineError && error.message === NO_ANSWER) {
      throw new DeskError(
        'data-folder',
        'The data folder does not answer. Look again later: the change may still be made.',
        { cause: error, mayBeDone: true },
      );
    }
    if (error instanceof UnsyncedError) {
      throw new DeskError(
        'data-folder',
        'The disk of the data folder has a fault. Look again later: the change may still be made.',
        { cause: error, mayBeDone: true },
      );
    }
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
