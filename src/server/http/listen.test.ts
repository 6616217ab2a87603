import type { Context } from 'hono';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { connectRaw } from '../testing/raw-client.ts';
import { type AppEnv, createApp } from './create-app.ts';
import { type ListenBounds, type Listener, listen } from './listen.ts';
import { type TextOutput, streamText } from './stream-text.ts';

type Handler = (c: Context<AppEnv>) => Response | Promise<Response>;

let listener: Listener | undefined;

afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

async function start(handler: Handler, bounds: Partial<ListenBounds> = {}): Promise<Listener> {
  const log = pino({ level: 'silent' });
  const app = createApp<AppEnv>(log).all('*', handler);
  listener = await listen({ app, log, host: '127.0.0.1', port: 0, bounds: { closingGraceMs: 0, ...bounds } });
  return listener;
}

test('a client that does not take its answer is cut off', async () => {
  const body = Buffer.alloc(30_000_000);
  const answered = vi.fn<Handler>(() => new Response(body));
  const { url, close } = await start(answered, { idleTimeoutMs: 100 });
  const client = connectRaw(url);
  client.socket.pause();
  client.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce());
  // Closing waits for what is open, and would wait for this answer for 8 s.
  listener = undefined;
  await expect(close()).resolves.toBeUndefined();
  client.socket.destroy();
});

test('a connection without a request is cut off', async () => {
  const { url } = await start((c) => c.text('ok'), { headersTimeoutMs: 100 });
  expect(await connectRaw(url).closed).not.toContain('200');
});

test('the whole URL may stand in a request, as proxies send it', async () => {
  const { url } = await start((c) => c.json([c.req.method, c.req.path, c.req.query('lang')]));
  const client = connectRaw(url);
  client.socket.end('GET http://go.demo.example/t?lang=en HTTP/1.1\r\nHost: go.demo.example\r\n\r\n');
  expect(await client.closed).toContain('["GET","/t","en"]');
});

test('a header of more than 8,192 characters counts as not sent, and of the lists of proxies the end is read', async () => {
  const names = ['cookie', 'authorization', 'x-forwarded-for'];
  const { url } = await start((c) => c.json(names.map((name) => c.req.header(name) ?? null)));
  const send = async (headers: string): Promise<(string | null)[]> => {
    const client = connectRaw(url);
    client.socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\nConnection: close\r\n\r\n`);
    const [, body = ''] = (await client.closed).split('\r\n\r\n');
    return JSON.parse(body) as (string | null)[];
  };
  for (const [index, name] of names.slice(0, 2).entries()) {
    expect((await send(`${name}: ${'c'.repeat(8_192)}`))[index]).toHaveLength(8_192);
    expect(await send(`${name}: ${'c'.repeat(8_193)}`)).toEqual([null, null, null]);
  }
  const list = `${'9'.repeat(9_000)}, 198.51.100.7`;
  expect(await send(`X-Forwarded-For: ${list}`)).toEqual([null, null, list.slice(-8_192)]);
});

test('a stream is ended when its client goes, and one that is not taken is cut off', async () => {
  const stop = vi.fn<() => void>();
  const outputs: TextOutput[] = [];
  const { url } = await start((c) =>
    streamText(c, {}, (output) => {
      outputs.push(output);
      return stop;
    }),
  );
  const leaving = connectRaw(url);
  leaving.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitFor(() => expect(outputs).toHaveLength(1));
  outputs[0]?.write('first');
  await vi.waitFor(() => expect(leaving.received()).toContain('first'));
  leaving.socket.destroy();
  await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce());

  const stalled = connectRaw(url);
  stalled.socket.pause();
  stalled.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitFor(() => expect(outputs).toHaveLength(2));
  await vi.waitFor(() => {
    outputs[1]?.write('x'.repeat(1_000_000));
    expect(stop).toHaveBeenCalledTimes(2);
  });
  stalled.socket.destroy();
});

test('HEAD is answered without opening a stream', async () => {
  const started = vi.fn<() => () => void>(() => () => undefined);
  const { url } = await start((c) => streamText(c, { 'content-type': 'text/event-stream' }, started));
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(started).not.toHaveBeenCalled();
});

test('a request that cannot be read, or whose app fails, is answered as JSON', async () => {
  const { url } = await start(() => {
    throw new Error('a detail that nobody may see');
  });
  const send = async (target: string, host: string): Promise<string> => {
    const client = connectRaw(url);
    client.socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return client.closed;
  };
  for (const [target, host] of [
    ['*', 'localhost'],
    ['/a\\b', 'localhost'],
    ['/', 'two words'],
  ] as const) {
    expect(await send(target, host), target).toMatch(/^HTTP\/1\.1 400 [^]+"code":"bad-request"/);
  }
  const failed = await send('/', 'localhost');
  expect(failed).toMatch(/^HTTP\/1\.1 500 [^]+"code":"internal"/);
  expect(failed).not.toContain('detail');
});
