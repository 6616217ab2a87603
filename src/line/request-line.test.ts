import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { requestLine } from './request-line.ts';
import { type LineHosts, startLineHosts } from './start-line-hosts.ts';

const HOST = 'line1.localhost';
const now = (): number => performance.now();
let hosts: LineHosts;

afterEach(() => hosts.close());

it('gives up for real when the time is over', async () => {
  hosts = await start();
  hosts.set(HOST, { fault: 'hang' });
  const reply = await requestLine(address(), { now, timeoutMs: 50 });
  expect(reply).toEqual({ kind: 'timeout' });
  await vi.waitFor(() => expect(hosts.requests(HOST).aborted).toBe(1));
});

it('ends when it is told to', async () => {
  hosts = await start();
  hosts.set(HOST, { fault: 'hang' });
  const ending = new AbortController();
  const reply = requestLine(address(), { now, signal: ending.signal });
  await vi.waitFor(() => expect(hosts.requests(HOST).count).toBe(1));
  ending.abort();
  expect(await reply).toMatchObject({ kind: 'unreachable' });
  await vi.waitFor(() => expect(hosts.requests(HOST).aborted).toBe(1));
});

it('does not begin where it was told to end before', async () => {
  hosts = await start();
  expect(await requestLine(address(), { now, signal: AbortSignal.abort() })).toMatchObject({
    kind: 'unreachable',
  });
  expect(hosts.requests(HOST).count).toBe(0);
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

function start(): Promise<LineHosts> {
  return startLineHosts({ marker: 'waypost-test', ports: [0] });
}

function address(): string {
  return `http://${HOST}:${hosts.ports[0]}`;
}
