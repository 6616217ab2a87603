import type { Effects } from './effects.ts';
import { linkAbort } from './link-abort.ts';

export type JsonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
};

export type JsonRequest = {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly headers?: Record<string, string>;
  readonly cache?: RequestCache;
};

/** Asks for JSON. Undefined where no answer came: the network failed, the time was up, or the caller left. */
export async function requestJson(
  url: string,
  { timeoutMs, signal, ...init }: JsonRequest,
  { fetch, setTimer }: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<JsonAnswer | undefined> {
  const controller = linkAbort(signal);
  const cancelTimer = setTimer(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    const body: unknown = await response.json().catch(() => undefined);
    return controller.signal.aborted
      ? undefined
      : { status: response.status, headers: response.headers, body };
  } catch {
    return undefined; // However it failed, there is no answer; each call decides what that means.
  } finally {
    cancelTimer();
    controller.abort();
  }
}
