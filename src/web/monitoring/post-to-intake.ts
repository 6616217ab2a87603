import type { Effects } from '../../engine/effects.ts';
import type { MessageBody, PostOutcome } from './create-send-queue.ts';

/** No answer by then is none. */
const TIMEOUT_MS = 10_000;
/** What all requests that outlive a page may carry together is 64 KiB; a part of it is left for the last beacons. */
const MAX_KEEPALIVE_BYTES = 32_000;
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
      keepalive: body.length <= MAX_KEEPALIVE_BYTES,
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
