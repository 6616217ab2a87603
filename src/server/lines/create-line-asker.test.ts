import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { LineReply } from '../../contract/line/line-reply.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { LineBehaviour } from '../../line/line-behaviour.ts';
import { requestLine } from '../../line/request-line.ts';
import { type LineHosts, startLineHosts } from '../../line/start-line-hosts.ts';
import { createLineTable } from '../site/create-line-table.ts';
import { type AskLine, createLineAsker } from './create-line-asker.ts';
import { type AddressState, type LineCondition, findCondition } from './line-state.ts';

const MARKER = 'waypost-test';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const GOOD_REPLY: LineReply = {
  kind: 'answer',
  status: 200,
  headers: { server: MARKER, 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' },
  timeMs: 1,
  certificate: undefined,
};

function startAsker(
  hosts: readonly string[],
  {
    ports,
    publicUrl = '',
    ...deps
  }: { ports: readonly number[]; publicUrl?: string; askLine?: AskLine; deadlineMs?: number },
) {
  const health = {
    path: '/health',
    expect: { status: 200, json: { path: 'parts.database', value: true } },
    everySeconds: 30,
    timeoutMs: 500,
  };
  const settings = {
    marker: MARKER,
    markerHeader: 'server',
    hosts: hosts.map((host) => ({ host })),
    fallback: [],
    ports,
    health,
  };
  // As much of a site as is read.
  const config = { lines: settings, publicUrl } as unknown as SiteConfig;
  const asker = createLineAsker({
    site: () => ({ config }),
    askLine: sendRequest,
    signal: new AbortController().signal,
    metrics: { countProbe: () => undefined },
    now: () => 1_000_000,
    ...deps,
  });
  const lines = createLineTable(config.lines).lines;
  const askAll = () =>
    Promise.all(lines.map((line) => asker.askAddresses(line, { round: 1, asksTwice: true, last: [] })));
  return { asker, askAll };
}

/** Only a line that never answers is worth no wait: the others may be slow on a busy machine. */
const limitOf = (address: string): number => (address.includes('bad.localhost') ? 300 : 30_000);

const sendRequest: AskLine = (address, options) =>
  requestLine(address, { now: () => performance.now(), timeoutMs: limitOf(address), ...options });

async function startHosts(behaviours: Readonly<Record<string, LineBehaviour>> = {}): Promise<LineHosts> {
  const hosts = await startLineHosts({ marker: MARKER, ports: [0, 0] });
  closing.push(hosts.close);
  for (const [name, behaviour] of Object.entries(behaviours)) hosts.set(name, behaviour);
  return hosts;
}

const conditionsOf = (found: readonly (readonly AddressState[])[]): readonly LineCondition[] =>
  found.map((addresses) => findCondition(addresses, undefined));

test('a line is asked in the name of the portal, and one that is http is blocked behind https', async () => {
  const asked: (string | undefined)[] = [];
  const { askAll } = startAsker(['http://line1.example', 'https://line2.example'], {
    ports: [],
    publicUrl: 'https://go.example/portal',
    askLine: async (_, { origin }) => {
      asked.push(origin);
      return GOOD_REPLY;
    },
  });
  const found = await askAll();
  expect(new Set(asked)).toEqual(new Set(['https://go.example']));
  expect(conditionsOf(found)).toEqual(['down', 'up']);
});

describe('one line never stops the others', () => {
  test.each<[string, string, (socket: Socket) => void]>([
    [
      'switches protocols',
      'http',
      (socket) =>
        void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ],
    ['never ends its head', 'http', (socket) => void socket.write('HTTP/1.1 200 OK\r\nServer: way')],
    [
      'sends too large a head',
      'http',
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(500_000)}`),
    ],
    [
      'sends interim answers only',
      'http',
      (socket) => void socket.write('HTTP/1.1 103 Hints\r\n\r\n'.repeat(5_000)),
    ],
    ['closes without an answer', 'http', (socket) => void socket.end()],
    ['stalls the TLS handshake', 'https', () => undefined],
  ])('that %s', async (_, scheme, misbehave) => {
    const { ports } = await startHosts();
    const port = await listenOn(misbehave);
    const { askAll } = startAsker([`${scheme}://bad.localhost:${port}`, 'http://line1.localhost'], { ports });
    await askAll();
    expect(conditionsOf(await askAll())).toEqual(['down', 'up']);
  });

  test('whose request never settles, or throws', async () => {
    const hosts = ['http://hangs.localhost', 'http://throws.localhost', 'http://line1.localhost'];
    const { askAll } = startAsker(hosts, {
      ports: [80],
      deadlineMs: 50,
      askLine: async (address) => {
        if (address.includes('hangs')) return new Promise(() => undefined);
        if (address.includes('throws')) throw new Error('no');
        return GOOD_REPLY;
      },
    });
    expect(conditionsOf(await askAll())).toEqual(['down', 'down', 'up']);
  });
});

describe('the application of a line', () => {
  test('that is not well at one port of two makes it degraded', async () => {
    const { ports } = await startHosts();
    const [, bad = 0] = ports;
    const { asker, askAll } = startAsker(['http://line1.localhost'], {
      ports,
      askLine: async (address, options) =>
        options.path === '/health' && address.endsWith(`:${bad}`)
          ? { kind: 'timeout' }
          : sendRequest(address, options),
    });
    const [addresses = []] = await askAll();
    const health = await asker.prepareHealthCheck(addresses)?.(1);
    expect(findCondition(addresses, health)).toBe('degraded');
    expect(health?.faults.map(({ fault }) => fault.kind)).toEqual(['health-no-answer']);
  });

  test('that sends an endless body is read to 64 KB, and is no JSON', async () => {
    const { ports } = await startHosts({ 'line1.localhost': { fault: 'huge-body' } });
    const read: number[] = [];
    const { asker, askAll } = startAsker(['http://line1.localhost'], {
      ports,
      askLine: async (address, options) => {
        const reply = await sendRequest(address, options);
        if (reply.kind === 'answer' && reply.body !== undefined) read.push(reply.body.length);
        return reply;
      },
    });
    const [addresses = []] = await askAll();
    const health = await asker.prepareHealthCheck(addresses)?.(1);
    expect(health?.faults.map(({ fault }) => fault.kind)).toEqual(['health-body', 'health-body']);
    expect(Math.max(...read)).toBe(65_536);
  });
});

async function listenOn(misbehave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.resume();
    misbehave(socket);
  });
  server.listen(0, '127.0.0.1');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // It listens on a port, not on a pipe.
}
