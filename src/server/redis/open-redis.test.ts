import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type TestRedis, startRedis } from '../testing/start-redis.ts';
import { type Redis, openRedis } from './open-redis.ts';

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

async function open(url: string): Promise<{ redis: Redis; logged: readonly string[] }> {
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) });
  const redis = await openRedis({ url, log, answerTimeoutMs: 200, connectTimeoutMs: 100 });
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
