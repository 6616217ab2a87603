import { RESTRICTED_STATUS } from '../../contract/api/restricted-status.ts';
import { HttpError } from './http-error.ts';

/** Nothing is served under this path. */
export function refuseUnknownPath(): HttpError {
  return new HttpError(404, { code: 'not-found', message: 'There is nothing under this path.' });
}

/** The path is known, but not with this method. */
export function refuseMethod(allowed: string): HttpError {
  return new HttpError(405, {
    code: 'method-not-allowed',
    message: `This path answers ${allowed} only.`,
    headers: { Allow: allowed },
  });
}

/** The visitor is in a region that the operator does not serve. */
export function refuseRegion(): HttpError {
  return new HttpError(RESTRICTED_STATUS, {
    code: 'restricted-region',
    message: 'This service is not available in your region.',
  });
}
