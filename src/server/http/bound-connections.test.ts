import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from 'hono';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { type RawClient, connectRaw } from '../testing/raw-client.ts';
import { CONNECTION_BOUNDS, type CutReason, boundConnections } from './bound-connections.ts';
import { type AppEnv, createApp } from './create-app.ts';
import { type ListenOptions, type Listener, listen } from './listen.ts';
import { streamText } from './stream-text.ts';

type Handler = (c: Context<AppEnv>) => Response | Promise<Response>;

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const answerAtOnce: Handler = (c) => c.text('ok');
const answerNever: Handler = () => new Promise(() => undefined);

let listener: Listener | undefined;
const clients: RawClient[] = [];

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await listener?.close();
});

async function start(handler: Handler, more: Partial<ListenOptions<AppEnv>> = {}) {
  const log = pino({ level: 'silent' });
  const app = createApp<AppEnv>(log).all('*', handler);
  const cuts: CutReason[] = [];
  const bounds = { closingGraceMs: 0, ...more.bounds };
  listener = await listen({ app, log, host: '127.0.0.1', port: 0, onCut: (reason) => cuts.push(reason), ...more, bounds }); // prettier-ignore
  const { url } = listener;
  const open = async (): Promise<RawClient> => {
    const client = connectRaw(url);
    clients.push(client);
    await once(client.socket, 'connect');
    return client;
  };
  /** Resolves when the connection has had an answer, and so has been seen by the server. */
  const openSeen = async (): Promise<RawClient> => {
    const client = await open();
    client.socket.write(GET);
    await vi.waitFor(() => expect(client.received()).toContain('ok'));
    return client;
  };
  return { cuts, open, openSeen };
}

test('a connection may have 16 requests open, and is cut at the next one', async () => {
  const asked = vi.fn<Handler>(answerNever);
  const { cuts, open } = await start(asked);
  const modest = await open();
  modest.socket.write(GET.repeat(16));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(16));
  const greedy = await open();
  greedy.socket.write(GET.repeat(1_000));
  expect(await greedy.closed).toBe('');
  expect([cuts, asked.mock.calls.length, modest.socket.closed]).toEqual([['too-many-requests'], 32, false]);
});

test('beyond what everyone together may have open, each connection may have one request', async () => {
  const asked = vi.fn<Handler>(answerNever);
  const { cuts, open } = await start(asked, { bounds: { maxOpenRequestsOfAll: 4 } });
  const early = await open();
  early.socket.write(GET.repeat(4));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(4));
  const modest = await open();
  modest.socket.write(GET);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(5));
  const greedy = await open();
  greedy.socket.write(GET.repeat(2));
  await greedy.closed;
  expect([cuts, modest.socket.closed]).toEqual([['too-many-requests'], false]);
});

test('what a connection sent beyond that is not even read', async () => {
  const { watch, bound } = boundConnections({
    bounds: CONNECTION_BOUNDS,
    isShared: () => false,
    onCut: () => undefined,
  });
  const read = vi.fn<RequestListener>(bound(() => undefined));
  const server = createServer(read).listen(0, '127.0.0.1');
  watch(server);
  await once(server, 'listening');
  const client = connectRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.socket.write(GET.repeat(1_000));
  await client.closed;
  server.close();
  expect(read).toHaveBeenCalledTimes(17);
});

test('requests that are answered and taken do not count', async () => {
  const { cuts, open } = await start(answerAtOnce, { bounds: { maxOpenRequestsOfAll: 20 } });
  const client = await open();
  for (let count = 1; count <= 20; count += 1) {
    client.socket.write(GET.repeat(10));
    await vi.waitFor(() => expect(client.received().match(/ 200 OK/g)).toHaveLength(10 * count));
  }
  expect(cuts).toEqual([]);
});

test('a connection that asks on while a megabyte of its answers is not taken is cut', async () => {
  const body = Buffer.alloc(30_000_000);
  const asked = vi.fn<Handler>(() => new Response(body));
  const { cuts, open } = await start(asked);
  const client = await open();
  client.socket.pause().write(GET);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  client.socket.write(GET);
  await vi.waitFor(() => expect(cuts).toEqual(['answers-not-taken']));
  expect(asked).toHaveBeenCalledOnce();
});

test('beyond what one address may hold, the connection that was idle for longest makes room', async () => {
  const { cuts, openSeen } = await start(answerAtOnce, { bounds: { maxConnectionsPerAddress: 3 } });
  const [first, second] = [await openSeen(), await openSeen(), await openSeen()];
  first.socket.write(GET);
  await vi.waitFor(() => expect(first.received().match(/ 200 OK/g)).toHaveLength(2));
  await openSeen();
  await second.closed;
  expect([cuts, clients.filter(({ socket }) => !socket.closed).length]).toEqual([['made-room'], 3]);
});

test('where none is idle, the new one is cut', async () => {
  const asked = vi.fn<Handler>(answerNever);
  const { cuts, open } = await start(asked, { bounds: { maxConnectionsPerAddress: 2 } });
  for (const client of [await open(), await open()]) client.socket.write(GET);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  await (
    await open()
  ).closed;
  expect(cuts).toEqual(['too-many-of-address']);
});

test('an address that many share is not held to that, and loses none of its connections', async () => {
  const { cuts, open, openSeen } = await start(answerAtOnce, {
    bounds: { maxConnectionsPerAddress: 1, maxConnections: 3 },
    isShared: (address) => address === '127.0.0.1',
  });
  const seen = [await openSeen(), await openSeen(), await openSeen()];
  await (
    await open()
  ).closed;
  expect([cuts, seen.map(({ socket }) => socket.closed)]).toEqual([['too-many'], [false, false, false]]);
});

test('a place is free again when its connection has closed', async () => {
  const { open, openSeen } = await start(answerAtOnce, {
    bounds: { maxConnections: 2 },
    isShared: () => true,
  });
  for (const { socket } of [await openSeen(), await openSeen()]) socket.destroy();
  await vi.waitFor(async () => {
    const client = await open();
    client.socket.end(GET);
    expect(await client.closed).toContain('ok');
  });
});

test('every stream on a connection is told when its client has gone', async () => {
  const stop = vi.fn<() => void>();
  const started = vi.fn<() => void>();
  const { open } = await start((c) =>
    streamText(c, {}, () => {
      started();
      return stop;
    }),
  );
  const client = await open();
  client.socket.write(GET.repeat(8));
  await vi.waitFor(() => expect(started).toHaveBeenCalledTimes(8));
  client.socket.destroy();
  await vi.waitFor(() => expect(stop).toHaveBeenCalledTimes(8));
});
