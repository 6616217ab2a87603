import type { Logger } from 'pino';
import { answerJson } from './answer.ts';
import { HttpError } from './http-error.ts';

/** The one place where an error becomes an answer. What we did not foresee is logged, and told to nobody else. */
export function answerError(error: unknown, { isSecure, log }: { isSecure: boolean; log: Logger }): Response {
  if (error instanceof HttpError) {
    const { status, code, message, headers } = error;
    return answerJson({ isSecure }, JSON.stringify({ error: { code, message } }), { status, headers });
  }
  log.error({ err: error }, 'request failed');
  const body = { error: { code: 'internal', message: 'The server could not answer this request.' } };
  return answerJson({ isSecure }, JSON.stringify(body), { status: 500 });
}
