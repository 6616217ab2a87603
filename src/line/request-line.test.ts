import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, type Socket, createServer as createTcpServer } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { LineReply } from '../contract/line/line-reply.ts';
import { requestLine } from './request-line.ts';
import { type LineHosts, startLineHosts } from './start-line-hosts.ts';

const HOST = 'line1.localhost';
const now = (): number => performance.now();
let hosts: LineHosts;

afterEach(() => hosts.close());

it('gives up for real when the time is over', async () => {
  hosts = await start();
  hosts.set(HOST, { fault: 'hang' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reply = requestLine(address(), { now, timeoutMs: 600_000 });
  await vi.waitFor(() => expect(hosts.requests(HOST).probes).toBe(1));
  vi.advanceTimersByTime(600_000);
  expect(await reply).toEqual({ kind: 'timeout' });
  await vi.waitFor(() => expect(hosts.requests(HOST).aborted).toBe(1));
});

it('ends when it is told to', async () => {
  hosts = await start();
  hosts.set(HOST, { fault: 'hang' });
  const ending = new AbortController();
  const reply = requestLine(address(), { now, signal: ending.signal });
  await vi.waitFor(() => expect(hosts.requests(HOST).probes).toBe(1));
  ending.abort();
  expect(await reply).toMatchObject({ kind: 'unreachable' });
  await vi.waitFor(() => expect(hosts.requests(HOST).aborted).toBe(1));
});

it('does not begin where it was told to end before', async () => {
  hosts = await start();
  expect(await requestLine(address(), { now, signal: AbortSignal.abort() })).toMatchObject({
    kind: 'unreachable',
  });
  expect(hosts.requests(HOST).probes).toBe(0);
});

it('reads a header that is sent twice as a page would', async () => {
  hosts = await start();
  const server = createServer((_, response) => {
    response.setHeader('Server', ['waypost-test', 'nginx']);
    response.setHeader('Access-Control-Allow-Origin', ['*', '*']);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port, not on a pipe.
  expect(await requestLine(`http://127.0.0.1:${port}`, { now })).toMatchObject({
    headers: { server: 'waypost-test, nginx', 'access-control-allow-origin': '*, *' },
  });
});

it('is not ended by a body that never is', async () => {
  hosts = await start();
  hosts.set(HOST, { fault: 'huge-body' });
  expect(await requestLine(address(), { now })).toMatchObject({ kind: 'answer', status: 200 });
});

it('measures with the clock that it is given', async () => {
  hosts = await start();
  const times = [1000, 1038];
  const reply = await requestLine(address(), { now: () => times.shift() ?? 0 });
  expect(reply).toMatchObject({ timeMs: 38 });
});

const MARKED = 'HTTP/1.1 200 OK\r\nServer: waypost-test\r\nContent-Length: 0\r\n\r\n';

it.each<[string, (socket: Socket) => void, Partial<LineReply>]>([
  [
    'an answer that switches protocols',
    (socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    { kind: 'answer', status: 101 },
  ],
  ['a connection that is closed without a word', (socket) => void socket.end(), { kind: 'unreachable' }],
  [
    'a connection that is closed within the head',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nServer: way'),
    { kind: 'unreachable' },
  ],
  [
    'something that is no HTTP',
    (socket) => void socket.write('220 mail.example\r\n'),
    { kind: 'unreachable' },
  ],
  ['silence', () => undefined, { kind: 'timeout' }],
  [
    'a head that never ends',
    (socket) => repeatWrite(socket, 'HTTP/1.1 200 OK\r\n', () => 'X: y\r\n', 20),
    { kind: 'timeout' },
  ],
  [
    'a head that is too large',
    (socket) => repeatWrite(socket, 'HTTP/1.1 200 OK\r\n', () => `X: ${'y'.repeat(8_000)}\r\n`, 0),
    { kind: 'unreachable', code: 'HPE_HEADER_OVERFLOW' },
  ],
  [
    'interim answers without end',
    (socket) => repeatWrite(socket, '', () => 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50), 0),
    { kind: 'unreachable', code: 'TOO_MANY_INTERIM_ANSWERS' },
  ],
  [
    'some interim answers before the real one',
    (socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3) + MARKED),
    { kind: 'answer', status: 200, headers: { server: 'waypost-test' } },
  ],
  [
    'a marker that comes after more headers than Node keeps',
    (socket) =>
      void socket.write(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(3_000)}Server: waypost-test\r\n\r\n`),
    { kind: 'answer', headers: { server: 'waypost-test' } },
  ],
])('settles, whatever a line does: %s', async (_, misbehave, expected) => {
  hosts = await start();
  const port = await listenOn(misbehave);
  // Only what never comes is worth no wait: on a busy machine, the rest may take its time.
  const timeoutMs = expected.kind === 'timeout' ? 400 : 30_000;
  expect(await requestLine(`http://127.0.0.1:${port}`, { now, timeoutMs })).toMatchObject(expected);
});

it('settles where the other side never answers the TLS handshake', async () => {
  hosts = await start();
  const port = await listenOn(() => undefined);
  expect(await requestLine(`https://127.0.0.1:${port}`, { now, timeoutMs: 200 })).toEqual({
    kind: 'timeout',
  });
});

it('settles where the address cannot be asked at all', async () => {
  hosts = await start();
  expect(await requestLine('http://a b', { now })).toMatchObject({ kind: 'unreachable' });
});

/** A server that does this to each connection. Resolves with its port. */
async function listenOn(misbehave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.resume();
    misbehave(socket);
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // It listens on a port, not on a pipe.
}

function repeatWrite(socket: Socket, first: string, more: () => string, everyMs: number): void {
  socket.write(first);
  const write = (): void => {
    if (!socket.destroyed) socket.write(more(), () => setTimeout(write, everyMs));
  };
  write();
}

function start(): Promise<LineHosts> {
  return startLineHosts({ marker: 'waypost-test', ports: [0] });
}

function address(): string {
  return `http://${HOST}:${hosts.ports[0]}`;
}

it.each([
  'http://line1.localhost:PORT',
  'http://127.0.0.1:PORT',
  'http://[::1]:PORT',
  'http://2130706433:PORT',
])('does not connect to %s if that may not be asked', async (pattern) => {
  hosts = await start();
  const address = pattern.replace('PORT', String(hosts.ports[0]));
  const seen: string[] = [];
  const isAllowed = (found: string) => {
    seen.push(found);
    return false;
  };
  expect(await requestLine(address, { now, isAllowed })).toEqual({
    kind: 'unreachable',
    code: 'PRIVATE_ADDRESS',
  });
  expect(['127.0.0.1', '::1']).toContain(seen[0]);
  expect(hosts.requests(HOST).probes).toBe(0);
});

it('connects if every address of a name may be asked, and not if one of them may not', async () => {
  hosts = await start();
  expect(await requestLine(address(), { now, isAllowed: () => true })).toMatchObject({ kind: 'answer' });
  const isAllowed = (found: string) => found !== '::1';
  expect(await requestLine(address(), { now, isAllowed })).toMatchObject({ code: 'PRIVATE_ADDRESS' });
});
