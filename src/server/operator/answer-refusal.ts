import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { DeskCode } from '../../contract/error-codes.ts';
import { DeskError } from '../desk/desk-error.ts';
import { HttpError } from '../http/errors.ts';
import { type PeopleCode, PeopleError } from '../people/people-error.ts';

/** The answer to what the desk, or a rule about people, has refused. Any other error stays as it is. */
export function answerRefusal(error: unknown): unknown {
  if (error instanceof DeskError) {
    const { code, message, sentences, details } = error;
    return new HttpError(DESK_STATUSES[code], { code, message, details: { ...details, sentences } });
  }
  if (error instanceof PeopleError) {
    const { code, message, retryAfterSeconds: seconds } = error;
    const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
    return new HttpError(PEOPLE_STATUSES[code], { code, message, headers });
  }
  return error;
}

const DESK_STATUSES: Readonly<Record<DeskCode, ContentfulStatusCode>> = {
  'editing-off': 409,
  'body-too-large': 413,
  'edit-refused': 422,
  'file-refused': 422,
  'owner-required': 403,
  'unknown-version': 404,
  'unknown-file': 404,
  'nothing-changed': 409,
  'version-conflict': 409,
  'draft-conflict': 409,
  'draft-changed': 409,
  'draft-full': 409,
  'draft-invalid': 422,
  'took-too-long': 422,
  'desk-busy': 503,
  'version-damaged': 503,
};

const PEOPLE_STATUSES: Readonly<Record<PeopleCode, ContentfulStatusCode>> = {
  'password-too-short': 400,
  'password-too-long': 400,
  'password-too-easy': 400,
  'wrong-password': 403,
  'wrong-code': 403,
  'unknown-person': 404,
  'unknown-token': 404,
  'name-taken': 409,
  'last-owner': 409,
  'changed-meanwhile': 409,
  'too-many-tries': 429,
  'too-many-sign-ins': 503,
  'recovery-code-away': 503,
};
