import type { Effects } from '../../../engine/effects/effects.ts';
import { abortAfter } from '../../../engine/effects/link-abort.ts';
import type { MessageBody, PostOutcome } from './create-send-queue.ts';

/** A request without an answer is aborted after this long. */
const TIMEOUT_MS = 10_000;
/**
 * All requests that outlive a page may carry 64 KiB together, see
 * https://fetch.spec.whatwg.org/#http-network-or-cache-fetch. A session sends at most one record and one segment at a time,
 * and this leaves 4 KiB for the record. Only a segment with an oversized event does not fit. If the browser refuses a
 * request, it has failed and is tried again.
 */
const MAX_KEEPALIVE_BYTES = 61_440;
/** Worth another try: timeout, too many requests. */
const PASSING_STATUSES = new Set([408, 429]);

/** Posts a message to the intake. `failed` means that another try may work. */
export async function postToIntake(
  intakeUrl: string,
  body: MessageBody,
  { fetch, setTimer, signal }: Pick<Effects, 'fetch' | 'setTimer'> & { readonly signal: AbortSignal },
): Promise<PostOutcome> {
  const controller = abortAfter(TIMEOUT_MS, signal, setTimer);
  try {
    const response = await fetch(intakeUrl, {
      method: 'POST',
      body,
      // A simple request without a preflight: no extra header, no cookies.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      keepalive: countBytes(body) <= MAX_KEEPALIVE_BYTES,
      signal: controller.signal,
    });
    if (response.ok) return 'sent';
    return response.status >= 500 || PASSING_STATUSES.has(response.status) ? 'failed' : 'refused';
  } catch {
    return 'failed'; // Unreachable, too slow, or blocked.
  } finally {
    // The body is not needed. Aborting ends it.
    controller.abort();
  }
}

function countBytes(body: MessageBody): number {
  return typeof body === 'string' ? new TextEncoder().encode(body).length : body.length;
}
