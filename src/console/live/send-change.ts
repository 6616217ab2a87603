import { API_CODES, type ApiCode } from '../../contract/error-codes.ts';
import type { IncidentDetail } from '../../contract/incidents.ts';
import { leaveToSignIn } from './leave-to-sign-in.ts';

/** As much of an error as this page needs. The server uses the same types. */
type AnsweredError = {
  readonly code?: string;
  readonly message?: string;
  readonly fault?: IncidentDetail;
};

/** Why the server refused a change. */
export class ChangeError extends Error {
  override readonly name = 'ChangeError';
  /** Undefined if the server could not be reached. */
  readonly code: ApiCode | undefined;
  /** Why a channel did not take its test. */
  readonly fault: IncidentDetail | undefined;

  constructor({ code, message = 'no answer', fault }: AnsweredError = {}) {
    super(message);
    this.code = API_CODES.find((each) => each === code);
    this.fault = fault;
  }
}

/** Sends a change as JSON. Throws a `ChangeError` if it was refused. */
export async function sendChange<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  if (answer === undefined) throw new ChangeError();
  if (answer.status === 401) leaveToSignIn();
  const content: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ChangeError((content as { readonly error?: AnsweredError }).error);
  // The server uses the same type.
  return content as Answer;
}
