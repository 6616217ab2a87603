import { REQUEST_KEY_HEADER } from '../../../contract/api/headers.ts';
import type {
  CheckEvent,
  DeskBody,
  DeskDifference,
  DeskDraft,
  DeskPreview,
  DeskState,
  DeskUpload,
  DeskVersion,
  JsonEdit,
} from '../../../contract/desk/desk.ts';
import { DESK_PATHS } from '../../../contract/paths.ts';

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
  readonly code: string;
  /** A whole sentence. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** The calls of the desk. */
export type DeskApi = {
  readonly readState: () => Promise<Answer<DeskState>>;
  readonly readDraft: () => Promise<Answer<DeskDraft>>;
  readonly listVersions: () => Promise<Answer<{ readonly versions: readonly DeskVersion[] }>>;
  readonly compare: (from: number, to: number) => Promise<Answer<DeskDifference>>;
  readonly edit: (body: {
    readonly file: string;
    readonly edits: readonly JsonEdit[];
  }) => Promise<Answer<unknown>>;
  readonly putFile: (path: string, content: Blob) => Promise<Answer<DeskUpload>>;
  readonly removeFile: (path: string) => Promise<Answer<unknown>>;
  readonly discard: (body: DeskBody<'discard'>) => Promise<Answer<unknown>>;
  readonly rebase: (body: DeskBody<'rebase'>) => Promise<Answer<unknown>>;
  readonly publish: (body: DeskBody<'publish'>) => Promise<Answer<DeskVersion>>;
  readonly restore: (body: DeskBody<'restore'>) => Promise<Answer<DeskVersion>>;
  /** A link to the pages as the draft would make them. */
  readonly preview: () => Promise<Answer<DeskPreview>>;
  /** Tells each event as it comes. It ends when all have come, or when it is aborted. */
  readonly check: (
    body: DeskBody<'check'>,
    onEvent: (event: CheckEvent) => void,
    signal: AbortSignal,
  ) => Promise<Answer<undefined>>;
};

const LOST = { kind: 'lost' } as const;

/** Creates the calls of the desk. None of them throws: a failed call is an answer, too. */
export function createDeskApi(fetch: typeof window.fetch, createKey = createRandomKey): DeskApi {
  /** The keys of calls that may have been done, by what was sent. */
  const keys = new Map<string, string>();
  return {
    readState: () => ask(DESK_PATHS.state),
    readDraft: () => ask(DESK_PATHS.draft),
    listVersions: () => ask(DESK_PATHS.versions),
    compare: (from, to) => ask(`${DESK_PATHS.difference}?from=${from}&to=${to}`),
    edit: (body) => post(DESK_PATHS.edit, body),
    putFile: async (path, content) => post(DESK_PATHS.putFile, { path, content: await writeBase64(content) }),
    removeFile: (path) => post(DESK_PATHS.removeFile, { path }),
    discard: (body) => post(DESK_PATHS.discard, body),
    rebase: (body) => post(DESK_PATHS.rebase, body),
    publish: (body) => postOnce(DESK_PATHS.publish, body),
    restore: (body) => postOnce(DESK_PATHS.restore, body),
    preview: () => post(DESK_PATHS.preview, { draft: 'own' }),
    check: async (body, onEvent, signal) => {
      try {
        const answer = await fetch(DESK_PATHS.check, { ...writeBody(body), signal });
        if (!answer.ok) return await readRefusal(answer);
        await readLines(answer, (line) => onEvent(JSON.parse(line) as CheckEvent));
        return { kind: 'done', data: undefined };
      } catch {
        return LOST;
      }
    },
  };

  function post<T>(path: string, body: object): Promise<Answer<T>> {
    return ask(path, writeBody(body));
  }

  /** Sends a call that is done once: whoever sends it again, because its answer was lost, uses the same key. */
  async function postOnce<T>(path: string, body: object): Promise<Answer<T>> {
    const call = `${path} ${JSON.stringify(body)}`;
    const key = keys.get(call) ?? createKey();
    keys.set(call, key);
    const answer = await ask<T>(path, writeBody(body, { [REQUEST_KEY_HEADER]: key }));
    const mayBeDone =
      answer.kind === 'lost' || (answer.kind === 'refused' && answer.code === 'store-uncertain');
    if (!mayBeDone) keys.delete(call);
    return answer;
  }

  async function ask<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
    try {
      const answer = await fetch(path, init);
      if (!answer.ok) return await readRefusal(answer);
      const text = await answer.text();
      // The server uses the same type. Some calls have nothing to answer.
      return { kind: 'done', data: (text === '' ? undefined : JSON.parse(text)) as T };
    } catch {
      return LOST;
    }
  }
}

/** The address of a file of the draft. */
export function fileUrl(path: string): string {
  return `${DESK_PATHS.file}?path=${encodeURIComponent(path)}`;
}

/** A key that nobody else has. Where the console is opened without TLS, browsers have no `randomUUID`. */
function createRandomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
}

function writeBody(body: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Files travel inside of JSON, as base64. */
async function writeBase64(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let text = '';
  // In parts: a function takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCodePoint(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}

async function readRefusal(answer: Response): Promise<Answer<never>> {
  if (answer.status === 401) return { kind: 'signed-out' };
  const { error } = (await answer.json()) as { readonly error: Omit<Refusal, 'kind' | 'details'> };
  const { code, message, ...details } = error;
  return { kind: 'refused', code, message, details };
}

/** Reads a body line by line, as it comes. */
async function readLines({ body }: Response, onLine: (line: string) => void): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter(Boolean)) onLine(line);
    if (done) break;
  }
  if (rest !== '') onLine(rest);
}
