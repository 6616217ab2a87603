import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from 'hono';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type RawClient, connectRaw } from '../testing/raw-client.ts';
import {
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type CutReason,
  boundConnections,
} from './bound-connections.ts';
import { type AppEnv, createApp } from './create-app.ts';
import { type ListenOptions, type Listener, listen } from './listen.ts';
import { type TextOutput, streamText } from './stream-text.ts';

type Handler = (c: Context<AppEnv>) => Response | Promise<Response>;

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const answerAtOnce: Handler = (c) => c.text('ok');
const writeBeginning = ({ write }: TextOutput) => {
  write('begun');
  return () => undefined;
};
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
  const open = async (localAddress = '127.0.0.1'): Promise<RawClient> => {
    const client = connectRaw(url, { localAddress });
    clients.push(client);
    await once(client.socket, 'connect');
    return client;
  };
  /** Resolves when the connection has had an answer, and so has been seen by the server. */
  const openSeen = async (localAddress?: string): Promise<RawClient> => {
    const client = await open(localAddress);
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
  expect(await greedy.closed).toMatch(/^HTTP\/1\.1 503 /);
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

describe('where no connection is idle', () => {
  const [CROWD, PAIR, VISITOR] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

  async function startBusy(bounds: Partial<ConnectionBounds>) {
    const asked = vi.fn<Handler>(answerNever);
    const { cuts, open } = await start(asked, { bounds });
    const openBusy = async (localAddress?: string): Promise<RawClient> => {
      const client = await open(localAddress);
      const { length } = asked.mock.calls;
      client.socket.write(GET);
      await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(length + 1));
      return client;
    };
    return { cuts, openBusy };
  }

  test('the one of the address that has waited for longest makes room, and is told to come back', async () => {
    const { cuts, openBusy } = await startBusy({ maxConnectionsPerAddress: 2 });
    const first = await openBusy();
    const others = [await openBusy(), await openBusy()];
    const answer = await first.closed;
    expect(answer).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(answer).toContain('\r\nRetry-After: 2\r\n');
    expect(answer).toContain('\r\n\r\n{"error":{"code":"too-busy",');
    expect([cuts, others.map(({ socket }) => socket.closed)]).toEqual([
      ['too-many-of-address'],
      [false, false],
    ]);
  });

  test('and every place is taken, the address that holds the most loses its oldest one', async () => {
    const { cuts, openBusy } = await startBusy({ maxConnections: 5 });
    const pair = [await openBusy(PAIR), await openBusy(PAIR)];
    const crowd = [await openBusy(CROWD), await openBusy(CROWD), await openBusy(CROWD)];
    const visitor = await openBusy(VISITOR);
    await crowd[0]?.closed;
    // Both hold two now. The next one of the crowd must not push out a connection of the visitor.
    await openBusy(CROWD);
    expect([cuts, visitor.socket.closed]).toEqual([['too-many-of-address', 'too-many-of-address'], false]);
    expect(crowd[2]?.socket.closed).toBe(false);
    expect(pair[1]?.socket.closed).toBe(false);
  });
});

test('an address pushes out no idle connection of those that hold fewer', async () => {
  const { cuts, openSeen } = await start(answerAtOnce, { bounds: { maxConnections: 4 } });
  const visitor = await openSeen('127.0.0.2');
  const crowd = [await openSeen(), await openSeen(), await openSeen()];
  await openSeen();
  await crowd[0]?.closed;
  expect([cuts, visitor.socket.closed]).toEqual([['made-room'], false]);
});

test('an answer that has begun is cut, and not mixed with another', async () => {
  const { open } = await start((c) => streamText(c, {}, writeBeginning), {
    bounds: { maxConnectionsPerAddress: 1 },
  });
  const first = await open();
  first.socket.write(GET);
  await vi.waitFor(() => expect(first.received()).toContain('begun'));
  await open();
  expect(await first.closed).not.toContain('503');
});

test.each([
  ['that expect what nobody knows', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n', ' 200 '],
  [
    'that expect to be told to go on',
    'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n',
    ' 200 ',
  ],
  ['without a host', 'GET / HTTP/1.1\r\n\r\n', ' 400 '],
])('requests %s are answered, and count like all others', async (_, request, status) => {
  const modest = await start(answerAtOnce).then(({ open }) => open());
  modest.socket.write(request);
  await vi.waitFor(() => expect(modest.received()).toContain(status));
  modest.socket.destroy();
  await listener?.close();
  const { cuts, open } = await start(answerNever);
  const greedy = await open();
  // The first one is never answered, so all others wait behind it.
  greedy.socket.write(GET + request.repeat(16));
  await vi.waitFor(() => expect(cuts).toEqual(['too-many-requests']));
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
