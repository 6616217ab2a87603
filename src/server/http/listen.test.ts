import { afterEach, expect, test, vi } from 'vitest';
import { connectRaw } from '../testing/raw-client.ts';
import type { App, StreamOutput } from './exchange.ts';
import { type ListenBounds, type Listener, listen } from './listen.ts';

let listener: Listener | undefined;

afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

async function start(app: App, bounds: Partial<ListenBounds>): Promise<Listener> {
  listener = await listen({ app, host: '127.0.0.1', port: 0, bounds: { closingGraceMs: 0, ...bounds } });
  return listener;
}

test('a client that does not take its answer is cut off', async () => {
  const body = Buffer.alloc(30_000_000);
  const answered = vi.fn<App>(() => ({
    status: 200,
    headers: { 'Content-Length': String(body.length) },
    body,
  }));
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
  const { url } = await start(() => ({ status: 200, headers: {}, body: 'ok' }), { headersTimeoutMs: 100 });
  expect(await connectRaw(url).closed).not.toContain('200');
});

test('the whole URL may stand in a request, as proxies send it', async () => {
  const app = vi.fn<App>(() => ({ status: 204, headers: {}, body: undefined }));
  const { url } = await start(app, {});
  const client = connectRaw(url);
  client.socket.end('GET http://go.demo.example/t?lang=en HTTP/1.1\r\nHost: go.demo.example\r\n\r\n');
  await client.closed;
  expect(app.mock.calls[0]?.[0]).toMatchObject({ path: '/t', query: 'lang=en', method: 'GET' });
});

test('a header of more than 8,192 characters counts as not sent, and of the lists of proxies the end is read', async () => {
  const app = vi.fn<App>(() => ({ status: 204, headers: {}, body: undefined }));
  const { url } = await start(app, {});
  for (const length of [8_192, 8_193]) {
    const client = connectRaw(url);
    const headers = `Host: localhost\r\nCookie: ${'c'.repeat(length)}\r\nConnection: close\r\n`;
    client.socket.write(`GET / HTTP/1.1\r\n${headers}\r\n`);
    await client.closed;
  }
  expect(app.mock.calls.map(([{ header }]) => header('cookie')?.length)).toEqual([8_192, undefined]);
  const client = connectRaw(url);
  const list = `${'9'.repeat(9_000)}, 198.51.100.7`;
  client.socket.write(
    `GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${list}\r\nConnection: close\r\n\r\n`,
  );
  await client.closed;
  expect(app.mock.calls[2]?.[0].header('x-forwarded-for')).toBe(list.slice(-8_192));
});

test('a stream is ended when its client goes, and one that is not taken is cut off', async () => {
  const stop = vi.fn<() => void>();
  const outputs: StreamOutput[] = [];
  const app: App = () => ({
    status: 200,
    headers: {},
    body: (output) => {
      outputs.push(output);
      return stop;
    },
  });
  const { url } = await start(app, {});
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
