import type { Logger } from 'pino';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiCode, StoreCode } from '../../contract/error-codes.ts';
import { CLOSED_HEADER, MAINTENANCE_STATUS, RESTRICTED_STATUS } from '../../contract/api/closing.ts';
import { readCode } from '../../contract/read-code.ts';
import { StoreAwayError, StoreFaultError, UncertainCommitError } from '../store/database.ts';
import type { AnswerHeaders } from './prepare-answer.ts';

/** An answer other than the one asked for, with what a program (`code`) and a person (`message`) need to know. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: ContentfulStatusCode;
  readonly code: ApiCode;
  readonly headers: AnswerHeaders;
  /** What a program needs to know beside the code. */
  readonly details: object;

  constructor(status: ContentfulStatusCode, { code, message, headers = {}, details = {} }: HttpErrorParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.details = details;
  }
}

type HttpErrorParts = {
  readonly code: ApiCode;
  readonly message: string;
  readonly headers?: AnswerHeaders;
  readonly details?: object;
};

/** Nothing is served under this path. */
export function refuseUnknownPath(): never {
  throw new HttpError(404, { code: 'not-found', message: 'There is nothing under this path.' });
}

/** The path is known, but it answers `GET` and `HEAD` only. */
export function refuseAllButGet(): never {
  refuseMethod('GET, HEAD');
}

/** The path is known, but it answers `POST` only. */
export function refuseAllButPost(): never {
  refuseMethod('POST');
}

/** The path is known, but it answers `GET`, `HEAD` and `POST` only. */
export function refuseAllButGetAndPost(): never {
  refuseMethod('GET, HEAD, POST');
}

/** The visitor is in a region that the operator does not serve. */
export function refuseRegion(): never {
  throw new HttpError(RESTRICTED_STATUS, {
    code: 'restricted-region',
    message: 'This service is not available in your region.',
  });
}

/** In seconds: when to ask again if the end of a maintenance is unknown. */
const MAINTENANCE_RETRY_AFTER = '300';

/** The operator has closed the site, maybe until a time that is known. */
export function refuseMaintenance(until: string | undefined): never {
  throw new HttpError(MAINTENANCE_STATUS, {
    code: 'maintenance',
    message: 'This site is closed for maintenance.',
    headers: {
      [CLOSED_HEADER]: 'maintenance',
      'Retry-After': until === undefined ? MAINTENANCE_RETRY_AFTER : new Date(until).toUTCString(),
    },
  });
}

function refuseMethod(allowed: string): never {
  throw new HttpError(405, {
    code: 'method-not-allowed',
    message: `This path answers ${allowed} only.`,
    headers: { Allow: allowed },
  });
}

export type ErrorAnswer = {
  readonly status: ContentfulStatusCode;
  readonly body: { readonly error: { readonly code: ApiCode; readonly message: string } };
  readonly headers: AnswerHeaders;
};

/** The one place where an error becomes an answer. An error that is not ours is logged, and the caller gets no details. */
export function describeError(error: unknown, log: Logger): ErrorAnswer {
  if (error instanceof HttpError) {
    const { status, code, message, headers, details } = error;
    return { status, body: { error: { ...details, code, message } }, headers };
  }
  const storeCode = findStoreCode(error);
  if (storeCode !== undefined) {
    log.warn({ err: error }, 'request refused: the database cannot be used');
    const message = STORE_SENTENCES[storeCode];
    return { status: 503, body: { error: { code: storeCode, message } }, headers: {} };
  }
  if (isHangUp(error)) {
    const message = 'The body of this request did not arrive whole.';
    return { status: 400, body: { error: { code: 'body-incomplete', message } }, headers: {} };
  }
  log.error({ err: error }, 'request failed');
  const message = 'The server could not answer this request.';
  return { status: 500, body: { error: { code: 'internal', message } }, headers: {} };
}

const STORE_SENTENCES: Readonly<Record<StoreCode, string>> = {
  'store-away':
    'Nothing was changed: the database is away or too busy, and the log says why. Try again later.',
  'store-full': 'Nothing was changed: the disk of the database is full.',
  'store-uncertain':
    'The database did not answer in time. Look again before you repeat it: the change may have been made.',
};

/** What the database could not do. For a caller, a database that refuses this portal is away, too. */
function findStoreCode(error: unknown): StoreCode | undefined {
  if (error instanceof StoreAwayError || error instanceof UncertainCommitError) return error.code;
  return error instanceof StoreFaultError ? 'store-away' : undefined;
}

/** Node's error for a client that hung up while its body was being read. Handlers read from no other connection. */
function isHangUp(error: unknown): boolean {
  return readCode(error) === 'ECONNRESET';
}
