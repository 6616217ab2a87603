import type { Effects } from '../../../engine/effects/effects.ts';
import type { MessageBody, PostOutcome } from './create-send-queue.ts';

/** No answer by then is none. */
const TIMEOUT_MS = 10_000;
/**
 * What all requests that outlive a page may carry together is 64 KiB, see https://fetch.spec.whatwg.org/#http-network-or-cache-fetch.
 * A session has one record and one segment under way at most, and 4 KiB is left for the record: every segment fits beside it, but for one with an
 * event that is larger than a segment may be. What the browser does not take after all has failed, and is tried again.
 */
const MAX_KEEPALIVE_BYTES = 61_440;
/** Those that may be over when it is tried again: timeout, too many requests. */
const PASSING_STATUSES = new Set([408, 429]);

/** Posts a message to the intake. Where it failed for a reason that may pass, it is worth another try. */
export async function postToIntake(
  intakeUrl: string,
  body: MessageBody,
  { fetch, setTimer, signal }: Pick<Effects, 'fetch' | 'setTimer'> & { readonly signal: AbortSignal },
): Promise<PostOutcome> {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end);
  const cancelTimeout = setTimer(end, TIMEOUT_MS);
  try {
    const response = await fetch(intakeUrl, {
      method: 'POST',
      body,
      // A simple request, without a preflight: no header of ours, no cookies.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      keepalive: countBytes(body) <= MAX_KEEPALIVE_BYTES,
      signal: ending.signal,
    });
    void response.body?.cancel();
    if (response.ok) return 'sent';
    return response.status >= 500 || PASSING_STATUSES.has(response.status) ? 'failed' : 'refused';
  } catch {
    return 'failed'; // Unreachable, too slow, or blocked: all the same to us.
  } finally {
    cancelTimeout();
    signal.removeEventListener('abort', end);
  }
}

function countBytes(body: MessageBody): number {
  return typeof body === 'string' ? new TextEncoder().encode(body).length : body.length;
}
