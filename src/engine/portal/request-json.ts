import type { Effects } from '../effects/effects.ts';
import { linkAbort } from '../effects/link-abort.ts';

export type JsonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came, and what it says; null where the status is not 200. */
  readonly text: string;
  readonly body: unknown;
};

export type JsonRequest = {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly headers?: Record<string, string>;
  readonly cache?: RequestCache;
};

/** Asks for JSON. Undefined where none came: the network failed, the time was up, the caller left, or it is no JSON. */
export async function requestJson(
  url: string,
  { timeoutMs, signal, ...init }: JsonRequest,
  { fetch, setTimer }: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<JsonAnswer | undefined> {
  const controller = linkAbort(signal);
  const cancelTimer = setTimer(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    const { status, headers } = response;
    // A refusal is known by its headers: nobody waits for its body, which may never come.
    const text = response.ok ? await response.text() : 'null';
    return { status, headers, text, body: JSON.parse(text) };
  } catch {
    return undefined; // However it failed, there is no answer; each call decides what that means.
  } finally {
    cancelTimer();
    controller.abort();
  }
}
