import type { Effects } from '../effects/effects.ts';
import { abortAfter } from '../effects/link-abort.ts';

export type JsonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The body as a text and parsed. Empty and undefined if the status is not 2xx. */
  readonly text: string;
  readonly body: unknown;
};

export type JsonRequest = {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly headers?: Record<string, string>;
  readonly cache?: RequestCache | undefined;
};

/** Asks for JSON. Undefined if the network failed, the time was up, the signal aborted, or the body is no JSON. */
export async function requestJson(
  url: string,
  { timeoutMs, signal, cache = 'no-store', ...init }: JsonRequest,
  { fetch, setTimer }: Pick<Effects, 'fetch' | 'setTimer'>,
): Promise<JsonAnswer | undefined> {
  const controller = abortAfter(timeoutMs, signal, setTimer);
  try {
    // Chromium lets a request that may be cached wait for an equal one that hangs, even for one of another tab.
    const response = await fetch(url, { ...init, cache, signal: controller.signal });
    const { status, headers } = response;
    // The status says enough about a refusal. Its body is not awaited, because it may never come.
    if (!response.ok) return { status, headers, text: '', body: undefined };
    const text = await response.text();
    return { status, headers, text, body: JSON.parse(text) };
  } catch {
    return undefined; // Every failure means "no answer". Each caller decides what follows.
  } finally {
    controller.abort();
  }
}
