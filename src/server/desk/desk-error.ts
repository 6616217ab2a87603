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

/** Somebody has published since the current version was read. */
export class VersionMovedError extends Error {
  override readonly name = 'VersionMovedError';
  readonly code = 'version-moved';
}
