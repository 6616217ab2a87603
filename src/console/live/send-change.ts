import { API_CODES, type ApiCode } from '../../contract/error-codes.ts';

/** Why the server refused a change. */
export class ChangeError extends Error {
  override readonly name = 'ChangeError';
  /** Undefined if the server could not be reached. */
  readonly code: ApiCode | undefined;
  /** The server's own sentence. Empty if it could not be reached. */
  readonly reason: string;

  constructor(code: ApiCode | undefined, reason = '') {
    super(reason || 'no answer');
    this.code = code;
    this.reason = reason;
  }
}

/** Sends a change as JSON. Throws a `ChangeError` if it was refused. */
export async function sendChange<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  if (answer === undefined) throw new ChangeError(undefined);
  // The session is over: the server answers with the login form instead of the page.
  if (answer.status === 401) location.reload();
  const content: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw readError(content);
  // The server uses the same type.
  return content as Answer;
}

function readError(content: unknown): ChangeError {
  const { error } = content as { readonly error?: { readonly code?: string; readonly message?: string } };
  return new ChangeError(
    API_CODES.find((code) => code === error?.code),
    error?.message,
  );
}
