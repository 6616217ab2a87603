import { EventEmitter } from 'node:events';
import type { Hono } from 'hono';
import type { AppEnv } from '../http/create-app.ts';

export type Question = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  /** The address of the socket's other end. */
  readonly from?: string;
  readonly isEncrypted?: boolean;
};

export type TestAnswer = {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a stream, what it says at once. */
  readonly text: string;
};

/** Asks an app in process. Its path arrives as it is written here: no `..` in it is resolved. */
export async function askApp<E extends AppEnv>(
  app: Hono<E>,
  url: string,
  { method = 'GET', headers = {}, body, from = '203.0.113.9', isEncrypted = false }: Question = {},
): Promise<TestAnswer> {
  const gone = new EventEmitter();
  const outgoing: AppEnv['Bindings']['outgoing'] = Object.assign(gone, {
    destroyed: false,
    destroy: () => gone.emit('close'),
  }) as never; // As much of Node's answer as an app may use.
  const sent = new Headers(headers);
  if (!sent.has('host')) sent.set('host', 'localhost');
  // As Node's clients do.
  if (body !== undefined && !(body instanceof ReadableStream) && !sent.has('content-length'))
    sent.set('content-length', String(Buffer.byteLength(body)));
  const answer = await app.request(
    url,
    { method, headers: sent, ...(body === undefined ? {} : { body, duplex: 'half' }) },
    { incoming: { url, socket: { remoteAddress: from, encrypted: isEncrypted } }, outgoing },
  );
  const isStream = answer.headers.get('content-type') === 'text/event-stream';
  const text = isStream ? await readStart(answer) : await answer.text();
  gone.emit('close');
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text };
}

async function readStart({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? '').toString();
}
