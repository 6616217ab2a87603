/** Why something about people, their passwords or their tries was refused. The message is a whole sentence, and nothing has changed. */
export class PeopleError extends Error {
  override readonly name = 'PeopleError';
  readonly code: PeopleCode;
  /** Undefined if waiting does not help. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: PeopleCode, message: string, retryAfterSeconds?: number) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type PeopleCode =
  | 'password-too-short'
  | 'password-too-long'
  | 'password-too-easy'
  | 'wrong-password'
  | 'wrong-code'
  | 'unknown-person'
  | 'unknown-token'
  | 'name-taken'
  | 'last-owner'
  | 'changed-meanwhile'
  | 'too-many-tries'
  | 'too-many-sign-ins'
  | 'recovery-code-away';
