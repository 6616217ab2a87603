import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type TestRedis, startRedis } from '../testing/start-redis.ts';
import { type OpenRedisOptions, type Redis, openRedis } from './open-redis.ts';

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.close());

/** Stands before Redis. While it stalls, it takes connections and bytes, and answers nothing. */
async function startProxy(state: { isStalling: boolean }) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const proxy = createServer((socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => undefined));
    if (state.isStalling) return void socket.resume();
    const { hostname, port } = new URL(server.url);
    const upstream = connect(Number(port), hostname).on('error', () => undefined);
    socket.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => !state.isStalling && socket.write(bytes));
    socket.on('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo; // It listens on a port.
  return { url: `redis://127.0.0.1:${port}`, connections: () => connections };
}

async function open(
  url: string,
  options: Partial<OpenRedisOptions> = {},
): Promise<{ redis: Redis; logged: readonly string[] }> {
  const logged: string[] = [];
  const log = pino(
    {},
    {
      write: (line) => {
        const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
        logged.push(msg.includes('refuses') ? `${msg}: ${err?.message}` : msg);
      },
    },
  );
  const redis = await openRedis({ url, log, answerTimeoutMs: 200, connectTimeoutMs: 100, ...options });
  onTestFinished(redis.close);
  return { redis, logged };
}

const ping = (redis: Redis): Promise<string> => redis.ask((client) => client.ping());
const waitForAnswer = (redis: Redis): Promise<void> =>
  vi.waitFor(async () => expect(await ping(redis)).toBe('PONG'));

test('a Redis that takes the connection and says nothing is found when it is well', async () => {
  const state = { isStalling: true };
  const proxy = await startProxy(state);
  const { redis, logged } = await open(proxy.url);
  await expect(ping(redis)).rejects.toThrow('Redis is not connected');
  // The first connection was given up by then.
  await vi.waitFor(() => expect(proxy.connections()).toBeGreaterThan(2));
  state.isStalling = false;
  await waitForAnswer(redis);
  expect(logged).toEqual(['Redis is away: serving goes on from memory', 'Redis is connected']);
});

test('a Redis that stalls in the middle of its life is given up, and found when it is well', async () => {
  const state = { isStalling: false };
  const { redis } = await open((await startProxy(state)).url);
  await waitForAnswer(redis);
  state.isStalling = true;
  await expect(ping(redis)).rejects.toThrow('Redis did not answer within 200 ms');
  await expect(ping(redis)).rejects.toThrow('Redis is not connected');
  state.isStalling = false;
  await waitForAnswer(redis);
});

test('nobody connects any more once it is closed, although an answer was still waited for', async () => {
  const state = { isStalling: true };
  const [closed, other] = await Promise.all([startProxy(state), startProxy(state)]);
  const { redis } = await open(closed.url);
  redis.close();
  const before = closed.connections();
  // The other one is as impatient, and shows when the time to connect anew has come.
  await open(other.url);
  await vi.waitFor(() => expect(other.connections()).toBeGreaterThan(2));
  expect(closed.connections()).toBe(before);
});

test('what Redis refuses is in the log with its reason, each kind once an hour', async () => {
  const clock = { now: 1_000_000 };
  const { redis, logged } = await open(server.url, {
    answerTimeoutMs: 5_000,
    connectTimeoutMs: 5_000,
    now: () => clock.now,
  });
  const setMaxMemory = (bytes: string) => redis.ask((client) => client.configSet('maxmemory', bytes));
  await redis.ask((client) => client.set('text', 'x'));
  const beRefused = async (): Promise<void> => {
    await expect(redis.ask((client) => client.hGet('text', 'field'))).rejects.toThrow('WRONGTYPE');
    const several = redis.ask((client) => client.multi().get('text').hGet('text', 'field').exec());
    await expect(several).rejects.toThrow('1 commands failed');
    await setMaxMemory('1');
    await expect(redis.ask((client) => client.set('text', 'y'))).rejects.toThrow('OOM');
    await setMaxMemory('0');
  };
  const refusals = [
    expect.stringMatching(/^Redis refuses what it is asked: WRONGTYPE /) as string,
    expect.stringMatching(/^Redis refuses what it is asked: OOM /) as string,
  ];
  await beRefused();
  await beRefused();
  expect(logged).toEqual(['Redis is connected', ...refusals]);
  clock.now += 3_600_000;
  await beRefused();
  expect(logged).toEqual(['Redis is connected', ...refusals, ...refusals]);
});
