import type { InConsoleLanguages } from '../../contract/console-language.ts';
import { type DeskRefusal, tellRefusal } from '../../contract/desk/describe-refusal.ts';
import type { DeskCode } from '../../contract/error-codes.ts';

/** Why the desk did not do what it was asked. Nothing has changed. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: DeskCode;
  readonly refusal: DeskRefusal;
  /** In each language of the console. */
  readonly sentences: InConsoleLanguages;
  /** What the console shows beside the sentence. */
  readonly details: object;

  constructor(code: DeskCode, refusal: DeskRefusal, details: object = {}) {
    const sentences = tellRefusal(refusal);
    super(sentences.en);
    this.code = code;
    this.refusal = refusal;
    this.sentences = sentences;
    this.details = details;
  }
}

/** Somebody has published since the current version was read. */
export class VersionMovedError extends Error {
  override readonly name = 'VersionMovedError';
  readonly code = 'version-moved';
}
