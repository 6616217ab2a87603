import { afterEach, expect, it, vi } from 'vitest';
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
