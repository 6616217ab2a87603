import type { Logger } from 'pino';
import { answerJson, createJsonHeaders } from './answer.ts';
import type { Answer } from './exchange.ts';
import { HttpError } from './http-error.ts';

/** The one place where an error becomes an answer. What we did not foresee is logged, and told to nobody else. */
export function answerError(error: unknown, { isSecure, log }: { isSecure: boolean; log: Logger }): Answer {
  const headers = createJsonHeaders(isSecure);
  if (error instanceof HttpError) {
    const { status, code, message } = error;
    return answerJson(JSON.stringify({ error: { code, message } }), { ...headers, ...error.headers }, status);
  }
  log.error({ err: error }, 'request failed');
  const body = { error: { code: 'internal', message: 'The server could not answer this request.' } };
  return answerJson(JSON.stringify(body), headers, 500);
}
