import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { DeskCode } from '../../contract/error-codes.ts';
import { DeskError } from '../desk/desk-error.ts';
import { HttpError } from '../http/errors.ts';

/** The answer to what the desk has refused. Any other error stays as it is. */
export function answerRefusal(error: unknown): unknown {
  if (error instanceof DeskError) {
    const { code, message, details } = error;
    return new HttpError(DESK_STATUSES[code], { code, message, details });
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
