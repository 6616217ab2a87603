import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LineBehaviour } from './line-behaviour.ts';
import { lookupAllowed } from './lookup-allowed.ts';
import type { LineReply } from '../contract/line/line-reply.ts';
import { requestLine } from './request-line.ts';
import { type LineHosts, type LineHostsOptions, startLineHosts } from './start-line-hosts.ts';

const MARKER = 'waypost-test';
const HOST = 'line1.localhost';
const now = (): number => performance.now();
const started: LineHosts[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((hosts) => hosts.close()));
});

describe('a line host', () => {
  it('answers the speed check with its marker and lets a page of any origin read it', async () => {
    const hosts = await start({});
    const reply = await ask(hosts);
    expect(reply).toMatchObject({
      kind: 'answer',
      status: 200,
      headers: {
        server: MARKER,
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Server',
        'timing-allow-origin': '*',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(hosts.requests(HOST)).toEqual({ probes: 1, aborted: 0, bodyBytes: 0, pages: 0, posts: 0 });
  });

  it('answers any number of made-up names, and counts the first thousand of them', async () => {
    const hosts = await start({});
    const socket = connect(hosts.ports[0] ?? 0, '127.0.0.1');
    let answered = '';
    socket.setEncoding('latin1').on('data', (text: string) => (answered += text));
    for (let name = 1; name <= 1_001; name += 1) {
      socket.write(`GET /speed.php HTTP/1.1\r\nHost: made-up-${name}.example\r\n\r\n`);
    }
    await vi.waitFor(() => expect(answered.match(/ 200 OK/g)).toHaveLength(1_001));
    socket.destroy();
    const counts = [1, 1_000, 1_001].map((name) => hosts.requests(`made-up-${name}.example`).probes);
    expect(counts).toEqual([1, 1, 0]);
  });

  it('starts over when it is told to: no fault, and nothing counted, of what is under way neither', async () => {
    const hosts = await start({ hosts: { [HOST]: {} } });
    hosts.set(HOST, { fault: 'hang' });
    const leaving = new AbortController();
    const hanging = ask(hosts, HOST, leaving.signal);
    await vi.waitFor(() => expect(hosts.requests(HOST).probes).toBe(1));
    hosts.reset();
    leaving.abort();
    await hanging;
    expect(await ask(hosts)).toMatchObject({ kind: 'answer', status: 200 });
    expect(hosts.requests(HOST)).toEqual({ probes: 1, aborted: 0, bodyBytes: 0, pages: 0, posts: 0 });
  });

  it('is told apart by its name, with or without the prefix of the day', async () => {
    const hosts = await start({ hosts: { [HOST]: {}, 'line2.localhost': { fault: 'error' } } });
    const statuses = await Promise.all(
      [HOST, `www20407.${HOST}`, 'www1.line2.localhost', 'line3.localhost'].map(async (host) => {
        const reply = await ask(hosts, host);
        return reply.kind === 'answer' ? reply.status : reply.kind;
      }),
    );
    expect(statuses).toEqual([200, 200, 500, 421]);
    expect(hosts.requests(HOST).probes).toBe(2);
  });

  it('answers on every port, and on both loopback addresses', async () => {
    const { ports } = await start({ ports: [0, 0] });
    expect(new Set(ports).size).toBe(2);
    const urls = ports.flatMap((port) => [`http://127.0.0.1:${port}`, `http://[::1]:${port}`]);
    const replies = await Promise.all(urls.map((url) => requestLine(url, { now })));
    expect(replies.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'answer', 'answer']);
  });
});

describe('the knobs', () => {
  it('delays the answer', async () => {
    const hosts = await start({ hosts: { [HOST]: { delayMs: 60 } } });
    const reply = await ask(hosts);
    // Node's timers may fire within the millisecond before they are due.
    expect(reply.kind === 'answer' && reply.timeMs).toBeGreaterThan(58);
  });

  it.each<[LineBehaviour['fault'], object]>([
    ['refuse', { kind: 'unreachable', code: 'ECONNRESET' }],
    ['reset-head', { kind: 'unreachable' }],
    ['wrong-marker', { status: 200, headers: { server: `not-${MARKER}` } }],
    ['no-marker', { status: 200, headers: { 'access-control-expose-headers': 'Server' } }],
    ['redirect', { status: 302, headers: { location: '/elsewhere', server: MARKER } }],
    ['error', { status: 500, headers: { server: MARKER } }],
    ['reset-body', { status: 200, headers: { server: MARKER } }],
  ])('%s', async (fault, expected) => {
    const hosts = await start({ hosts: { [HOST]: fault ? { fault } : {} } });
    const reply = await ask(hosts);
    expect(reply).toMatchObject(expected);
    expect(hosts.requests(HOST)).toMatchObject({ probes: 1, aborted: 0 });
  });

  it('leaves the marker header out altogether', async () => {
    const hosts = await start({ hosts: { [HOST]: { fault: 'no-marker' } } });
    const reply = await ask(hosts);
    expect(reply.kind === 'answer' && reply.headers).not.toHaveProperty('server');
  });

  it('resets in the middle of a body', async () => {
    const hosts = await start({ hosts: { [HOST]: { fault: 'reset-body' } } });
    await expect(read(`http://${HOST}:${hosts.ports[0]}/speed.php`)).rejects.toThrow('aborted');
  });

  it('hangs until the client leaves, and counts that as aborted', async () => {
    const hosts = await start({ hosts: { [HOST]: { fault: 'hang' } } });
    const leaving = new AbortController();
    const reply = ask(hosts, HOST, leaving.signal);
    await vi.waitFor(() => expect(hosts.requests(HOST).probes).toBe(1));
    expect(hosts.requests(HOST).aborted).toBe(0);
    leaving.abort();
    await reply;
    await vi.waitFor(() => expect(hosts.requests(HOST).aborted).toBe(1));
  });

  it('counts a client that leaves during the delay as aborted', async () => {
    const hosts = await start({ hosts: { [HOST]: { delayMs: 60_000 } } });
    const leaving = new AbortController();
    const reply = ask(hosts, HOST, leaving.signal);
    await vi.waitFor(() => expect(hosts.requests(HOST).probes).toBe(1));
    leaving.abort();
    await reply;
    await vi.waitFor(() => expect(hosts.requests(HOST).aborted).toBe(1));
  });

  it('sends a body without an end, and stops when the client has left', async () => {
    const hosts = await start({ hosts: { [HOST]: { fault: 'huge-body' } } });
    const response = await open(`http://${HOST}:${hosts.ports[0]}/speed.php`);
    response.resume();
    await vi.waitFor(() => expect(hosts.requests(HOST).bodyBytes).toBeGreaterThan(20_000_000));
    response.destroy();
    await vi.waitFor(async () => {
      const before = hosts.requests(HOST).bodyBytes;
      await ask(hosts, 'another.localhost');
      expect(hosts.requests(HOST).bodyBytes).toBe(before);
    });
  });

  it('shows that a client read the head of an endless body only', async () => {
    const hosts = await start({ hosts: { [HOST]: { fault: 'huge-body' } } });
    await ask(hosts);
    // What the system buffers on both sides, where nobody reads, is a few megabytes.
    expect(hosts.requests(HOST).bodyBytes).toBeLessThan(20_000_000);
  });

  it('can be turned while the host is running', async () => {
    const hosts = await start({ hosts: { [HOST]: { fault: 'refuse' } } });
    hosts.set(HOST, { fault: 'error' });
    expect(await ask(hosts)).toMatchObject({ status: 500 });
    hosts.set(HOST, {});
    expect(await ask(hosts)).toMatchObject({ status: 200 });
  });
});

describe('starting and ending', () => {
  it('ends at once, open connections and pending delays too', async () => {
    const hosts = await start({ hosts: { [HOST]: { delayMs: 60_000 } } });
    const reply = ask(hosts);
    const idle = connect(Number(hosts.ports[0]), '127.0.0.1');
    idle.on('error', () => undefined); // A reset is as good an end as any.
    const ended = new Promise((resolve) => idle.once('close', resolve));
    await vi.waitFor(() => expect(hosts.requests(HOST).probes).toBe(1));
    idle.resume();
    await hosts.close();
    await ended;
    expect(await reply).toMatchObject({ kind: 'unreachable' });
  });

  it('refuses a marker that no header can carry, before it listens', async () => {
    await expect(start({ marker: 'two\nlines' })).rejects.toThrow('Invalid character in header content');
  });

  it('names a port that is in use, and leaves no other port open', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const free = await start({});
    const freePort = Number(free.ports[0]);
    await free.close();
    await expect(start({ ports: [freePort, port] })).rejects.toThrow(
      `port ${port} is in use: stop what listens there, or choose another port`,
    );
    expect(await requestLine(`http://127.0.0.1:${freePort}`, { now })).toMatchObject({
      code: 'ECONNREFUSED',
    });
    taken.close();
  });
});

async function start(options: Partial<LineHostsOptions>): Promise<LineHosts> {
  const hosts = await startLineHosts({ marker: MARKER, ports: [0], ...options });
  started.push(hosts);
  return hosts;
}

function ask({ ports }: LineHosts, host = HOST, signal?: AbortSignal): Promise<LineReply> {
  return requestLine(`http://${host}:${ports[0]}`, { now, ...(signal && { signal }) });
}

async function open(url: string): Promise<IncomingMessage> {
  const request = get(url, { agent: false, lookup: lookupAllowed(() => true) });
  // A reset after the head is the request's error as well as the response's, and it is the response that is read.
  request.on('error', () => undefined);
  const [response] = await once(request, 'response');
  return response;
}

async function read(url: string): Promise<{ body: string; headers: IncomingMessage['headers'] }> {
  const response = await open(url);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { body: Buffer.concat(chunks).toString(), headers: response.headers };
}
