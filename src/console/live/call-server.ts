import type { InConsoleLanguages } from '../../contract/console-language.ts';
import type { ApiCode } from '../../contract/error-codes.ts';
import { leaveToSignIn } from './leave-to-sign-in.ts';

/** What became of a call. */
export type Answer<T> =
  | { readonly kind: 'done'; readonly data: T }
  | Refusal
  /** Nobody is signed in any more. */
  | { readonly kind: 'signed-out' }
  /** The server cannot be reached, or its answer cannot be read. */
  | { readonly kind: 'lost' };

/** The call was not done. */
export type Failure = Exclude<Answer<unknown>, { kind: 'done' }>;

/** The server has understood the call, and has not done it. */
export type Refusal = {
  readonly kind: 'refused';
  readonly status: number;
  readonly code: ApiCode;
  /** A whole sentence, in English. */
  readonly message: string;
  /** The same in each language of the console, if the desk has refused it. */
  readonly sentences?: InConsoleLanguages | undefined;
  readonly details: Readonly<Record<string, unknown>>;
};

/** A call that takes longer hangs. It counts as lost. The server itself stops most work after 20 s. */
export const CALL_TIMEOUT_MS = 60_000;

type CallOptions<T> = {
  readonly init?: RequestInit;
  readonly fetch?: typeof window.fetch;
  /** Reads the body of a good answer. By default it is JSON, or empty. */
  readonly read?: (answer: Response) => Promise<T>;
};

/** Calls the server. It never throws: a failed call is an answer, too. */
export async function callServer<T>(
  path: string,
  { init = {}, fetch = globalThis.fetch, read = readJson }: CallOptions<T> = {},
): Promise<Answer<T>> {
  try {
    const answer = await fetch(path, init);
    return answer.ok ? { kind: 'done', data: await read(answer) } : await readRefusal(answer);
  } catch {
    return { kind: 'lost' };
  }
}

/** Sends a change as JSON. If nobody is signed in any more, the page is left for the login form. */
export async function sendChange<T>(path: string, body: object): Promise<Answer<T>> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const answer = await callServer<T>(path, { init: { ...writeBody(body), signal } });
  if (answer.kind === 'signed-out') leaveToSignIn();
  return answer;
}

/** The request of a call with a body. */
export function writeBody(body: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

async function readJson<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  // The server uses the same type. Some calls have nothing to answer.
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function readRefusal(answer: Response): Promise<Failure> {
  const { status } = answer;
  if (status === 401) return { kind: 'signed-out' };
  // The server uses the same type.
  const { error } = (await answer.json()) as {
    readonly error: Pick<Refusal, 'code' | 'message' | 'sentences'>;
  };
  const { code, message, sentences, ...details } = error;
  return { kind: 'refused', status, code, message, sentences, details };
}
