import { REQUEST_KEY_HEADER } from '../../../contract/api/headers.ts';
import type {
  CheckEvent,
  DeskBody,
  DeskDifference,
  DeskDraft,
  DeskFile,
  DeskPreview,
  DeskState,
  DeskUpload,
  DeskVersion,
  JsonEdit,
} from '../../../contract/desk/desk.ts';
import type { ChannelTest } from '../../../contract/incidents.ts';
import { DESK_PATHS } from '../../../contract/paths.ts';
import { type Answer, CALL_TIMEOUT_MS, callServer, writeBody } from '../../live/call-server.ts';

/** The calls of the desk. */
export type DeskApi = {
  readonly readState: () => Promise<Answer<DeskState>>;
  readonly readDraft: () => Promise<Answer<DeskDraft>>;
  readonly listVersions: () => Promise<Answer<{ readonly versions: readonly DeskVersion[] }>>;
  readonly compare: (from: number, to: number) => Promise<Answer<DeskDifference>>;
  readonly edit: (body: {
    readonly file: string;
    readonly edits: readonly JsonEdit[];
    /** The hash of the file for which the edits were made. */
    readonly seen: string | undefined;
  }) => Promise<Answer<unknown>>;
  /** `seen` is the hash of the file that the content was made from. */
  readonly putFile: (path: string, content: Blob, seen?: string) => Promise<Answer<DeskUpload>>;
  readonly removeFile: (path: string) => Promise<Answer<unknown>>;
  readonly discard: (body: DeskBody<'discard'>) => Promise<Answer<unknown>>;
  readonly rebase: (body: DeskBody<'rebase'>) => Promise<Answer<unknown>>;
  readonly publish: (body: DeskBody<'publish'>) => Promise<Answer<DeskVersion>>;
  readonly restore: (body: DeskBody<'restore'>) => Promise<Answer<DeskVersion>>;
  /** A link to the pages as the draft would make them. */
  readonly preview: (wish?: {
    readonly edits: readonly JsonEdit[];
    readonly path: string;
  }) => Promise<Answer<DeskPreview>>;
  /** Sends a test by a channel of the draft. */
  readonly testChannel: (body: DeskBody<'testChannel'>) => Promise<Answer<ChannelTest>>;
  /** Tells each event as it comes. It ends when all have come, or when it is aborted. */
  readonly check: (
    body: DeskBody<'check'>,
    onEvent: (event: CheckEvent) => void,
    signal: AbortSignal,
  ) => Promise<Answer<undefined>>;
};

/** A file of 5 MB takes this long on a slow network. */
const UPLOAD_TIMEOUT_MS = 300_000;

/** Creates the calls of the desk. One that hangs must not keep all others waiting. */
export function createDeskApi(
  fetch: typeof window.fetch,
  createKey = createRandomKey,
  startDeadline = (ms: number): AbortSignal => AbortSignal.timeout(ms),
): DeskApi {
  /** The keys of calls whose result is unknown, by their content. */
  const keys = new Map<string, string>();
  return {
    readState: () => ask(DESK_PATHS.state),
    readDraft: () => ask(DESK_PATHS.draft),
    listVersions: () => ask(DESK_PATHS.versions),
    compare: (from, to) => ask(`${DESK_PATHS.difference}?from=${from}&to=${to}`),
    edit: (body) => post(DESK_PATHS.edit, body),
    putFile: (path, content, seen) =>
      ask(`${DESK_PATHS.putFile}?${new URLSearchParams({ path, ...(seen !== undefined && { seen }) })}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: content,
        signal: startDeadline(UPLOAD_TIMEOUT_MS),
      }),
    removeFile: (path) => post(DESK_PATHS.removeFile, { path }),
    discard: (body) => post(DESK_PATHS.discard, body),
    rebase: (body) => post(DESK_PATHS.rebase, body),
    publish: (body) => postOnce(DESK_PATHS.publish, body),
    restore: (body) => postOnce(DESK_PATHS.restore, body),
    preview: (wish) => post(DESK_PATHS.preview, { draft: 'own', ...wish }),
    testChannel: (body) => post(DESK_PATHS.testChannel, body),
    check: (body, onEvent, signal) =>
      callServer(DESK_PATHS.check, {
        fetch,
        init: { ...writeBody(body), signal },
        read: async (answer) => {
          await readLines(answer, (line) => onEvent(JSON.parse(line) as CheckEvent));
          return undefined;
        },
      }),
  };

  function post<T>(path: string, body: object): Promise<Answer<T>> {
    return ask(path, writeBody(body));
  }

  /** Sends a call that must take effect only once. After a lost answer, the same call has the same key. */
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

  function ask<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
    const signal = init.signal ?? startDeadline(CALL_TIMEOUT_MS);
    return callServer(path, { fetch, init: { ...init, signal } });
  }
}

/** The address of a file of the draft. It changes with the content, because browsers keep what they have loaded. */
export function fileUrl({ path, hash }: DeskFile): string {
  return `${DESK_PATHS.file}?path=${encodeURIComponent(path)}&${hash}`;
}

/** A key that nobody else has. Where the console is opened without TLS, browsers have no `randomUUID`. */
function createRandomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
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
