import type { Effects } from '../effects/effects.ts';
import type { FakeClock } from './create-fake-clock.ts';

export const MARKER = 'the-marker';

export type FakeAnswer = {
  readonly delayMs?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Fails as an unreachable host does. */
  readonly isDown?: boolean;
  /** Never answers. */
  readonly isHanging?: boolean;
  /** Lets no page read its answer: it fails, except for a request that wants to read nothing. */
  readonly isUnreadable?: boolean;
};

export type FakeRequest = {
  readonly url: string;
  readonly init: RequestInit;
  /** `open` until it ends in one of the others. */
  state: 'open' | 'answered' | 'failed' | 'aborted';
};

export type FakeNetwork = Pick<Effects, 'fetch'> & {
  /** What the portal answers at a path; without one it answers 404. */
  readonly portal: Map<string, FakeAnswer>;
  /** What a line answers, by a part of its address; without one it answers as a line should, at once. */
  readonly lines: Map<string, FakeAnswer>;
  readonly requests: FakeRequest[];
  readonly sent: (part: string) => readonly FakeRequest[];
  readonly openRequests: () => number;
};

/** Creates a network whose answers, delays and failures a test sets. Aborting works as in a browser. */
export function createFakeNetwork({ setTimer }: Pick<FakeClock, 'setTimer'>): FakeNetwork {
  const portal = new Map<string, FakeAnswer>();
  const lines = new Map<string, FakeAnswer>();
  const requests: FakeRequest[] = [];

  function findAnswer(url: string): FakeAnswer {
    if (url.startsWith('/')) return portal.get(url) ?? { status: 404, body: {} };
    const [, set = {}] = [...lines].find(([part]) => url.includes(part)) ?? [];
    return { headers: { server: MARKER }, ...set };
  }

  return {
    portal,
    lines,
    requests,
    sent: (part) => requests.filter(({ url }) => url.includes(part)),
    openRequests: () => requests.filter(({ state }) => state === 'open').length,
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        const request: FakeRequest = { url, init, state: 'open' };
        requests.push(request);
        const found = findAnswer(url);
        const { delayMs = 0, isHanging, isUnreadable, status = 200, headers = {}, body } = found;
        const isDown = found.isDown || (isUnreadable && init.mode !== 'no-cors');
        const abort = () => {
          if (request.state !== 'open') return;
          request.state = 'aborted';
          cancel?.();
          reject(new DOMException('aborted', 'AbortError'));
        };
        const answer = () => {
          request.state = isDown ? 'failed' : 'answered';
          if (isDown) reject(new TypeError('network'));
          else resolve(new Response(body === undefined ? 'ok' : JSON.stringify(body), { status, headers }));
        };
        const cancel = isHanging ? undefined : setTimer(answer, delayMs);
        if (init.signal?.aborted) abort();
        else init.signal?.addEventListener('abort', abort);
      }),
  };
}
