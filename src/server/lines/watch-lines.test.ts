import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LineReply } from '../../contract/line/line-reply.ts';
import type { HealthRule } from '../../contract/site/line-settings.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { LineBehaviour } from '../../line/line-behaviour.ts';
import { requestLine } from '../../line/request-line.ts';
import { type LineHosts, startLineHosts } from '../../line/start-line-hosts.ts';
import type { Steering } from '../learning/create-steering.ts';
import { createLineTable } from '../site/line-table.ts';
import { type AskLine, type LineState, type LineWatch, createLineWatch } from './watch-lines.ts';

const MARKER = 'waypost-test';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

type Watched = {
  readonly watch: LineWatch;
  readonly stateOf: (host: string) => LineState | undefined;
  readonly setDown: ReturnType<typeof vi.fn<Steering['setDown']>>;
  readonly states: Map<string, string>;
  readonly clock: { now: number };
  readonly config: SiteConfig;
};

function startWatch(
  lines: {
    hosts: readonly string[];
    fallback?: readonly string[];
    ports: readonly number[];
    health?: HealthRule;
  },
  { publicUrl = '', ...deps }: { publicUrl?: string; askLine?: AskLine; deadlineMs?: number } = {},
): Watched {
  const settings = {
    marker: MARKER,
    markerHeader: 'server',
    fallback: [],
    steering: 'measured' as const,
    ...lines,
    hosts: lines.hosts.map((host) => ({ host })),
  };
  // As much of a site as the watch reads.
  const config = { lines: settings, publicUrl } as unknown as SiteConfig;
  const table = createLineTable(config.lines);
  const setDown = vi.fn<Steering['setDown']>();
  const states = new Map<string, string>();
  const clock = { now: 1_000_000 };
  const watch = createLineWatch({
    site: () => ({ lines: table, config }),
    askLine: (address, options) =>
      requestLine(address, { now: () => performance.now(), timeoutMs: limitOf(address), ...options }),
    signal: new AbortController().signal,
    steering: { setDown },
    metrics: {
      countProbe: () => undefined,
      setLineState: (host, role, { isUp, hasPage }) =>
        void states.set(`${role} ${host}`, `${isUp ? 'up' : 'down'}${hasPage ? '' : ', no page'}`),
      forgetLine: () => undefined,
    },
    random: Math.random,
    now: () => clock.now,
    confirmation: () => ({ everySeconds: 5, bad: 3, good: 2 }),
    ...deps,
  });
  const stateOf = (host: string): LineState | undefined =>
    [...watch.states().values()].find((state) => state.host === host);
  return { watch, stateOf, setDown, states, clock, config };
}

/** Only a line that never answers is worth no wait: the others may be slow on a busy machine. */
const limitOf = (address: string): number => (address.includes('bad.localhost') ? 300 : 30_000);

async function startHosts(behaviours: Readonly<Record<string, LineBehaviour>> = {}): Promise<LineHosts> {
  const hosts = await startLineHosts({ marker: MARKER, ports: [0, 0] });
  closing.push(hosts.close);
  for (const [name, behaviour] of Object.entries(behaviours)) hosts.set(name, behaviour);
  return hosts;
}

const GOOD_REPLY: LineReply = {
  kind: 'answer',
  status: 200,
  headers: { server: MARKER, 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' },
  timeMs: 1,
  certificate: undefined,
};

const faultsOf = (state: LineState | undefined) =>
  state?.addresses.map(({ faults, pageFault }) => [
    ...faults.map(({ kind }) => kind),
    ...(pageFault ? [pageFault.kind] : []),
  ]);

describe('the server sees a line as a page does', () => {
  test('a marker that no page may read makes it down', async () => {
    const { ports } = await startHosts({ 'line1.localhost': { fault: 'not-exposed' } });
    const { watch, stateOf, setDown, states } = startWatch({
      hosts: ['http://line1.localhost', 'http://line2.localhost'],
      ports,
    });
    await watch.probeLines();
    expect(stateOf('http://line1.localhost')?.condition).toBe('down');
    expect(faultsOf(stateOf('http://line1.localhost'))).toEqual([['not-exposed'], ['not-exposed']]);
    expect(states.get('line http://line1.localhost')).toBe('down');
    expect(states.get('line http://line2.localhost')).toBe('up');
    const [down] = [...watch.states()].find(([, { condition }]) => condition === 'down') ?? [];
    expect(setDown).toHaveBeenLastCalledWith(new Set([down]), new Set());
  });

  test('it is asked at each of its ports, and one that fails makes it degraded', async () => {
    const { ports } = await startHosts();
    const { watch, stateOf, setDown } = startWatch({
      hosts: ['http://line1.localhost'],
      // Nothing listens there. A port that was just closed may be another program's by now.
      ports: [...ports, 1],
    });
    await watch.probeLines();
    const state = stateOf('http://line1.localhost');
    expect([state?.condition, faultsOf(state)]).toEqual(['degraded', [[], [], ['unreachable']]]);
    expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
  });

  test('it is asked in the name of the portal, and one that is http is blocked behind https', async () => {
    const asked: (string | undefined)[] = [];
    const askLine: AskLine = async (_, { origin }) => {
      asked.push(origin);
      return GOOD_REPLY;
    };
    const { watch, stateOf } = startWatch(
      { hosts: ['http://line1.example', 'https://line2.example'], ports: [] },
      { publicUrl: 'https://go.example/portal', askLine },
    );
    await watch.probeLines();
    expect(new Set(asked)).toEqual(new Set(['https://go.example']));
    expect(stateOf('http://line1.example')?.condition).toBe('down');
    expect(stateOf('https://line2.example')?.condition).toBe('up');
  });

  test('a page that is not there makes it degraded until it is there, and it is not left out', async () => {
    const hosts = await startHosts({ 'line1.localhost': { fault: 'no-page' } });
    const { watch, stateOf, setDown, states } = startWatch({
      hosts: ['http://line1.localhost'],
      ports: hosts.ports,
    });
    // One port after the other is asked for it.
    await watch.probeLines();
    await watch.probeLines();
    const state = stateOf('http://line1.localhost');
    expect([state?.condition, faultsOf(state)]).toEqual(['degraded', [['page-status'], ['page-status']]]);
    expect(states.get('line http://line1.localhost')).toBe('up, no page');
    expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
    hosts.set('line1.localhost', {});
    await watch.probeLines();
    expect(stateOf('http://line1.localhost')?.condition).toBe('up');
  });
});

test('fallback hosts are watched like lines, and never left out', async () => {
  const { ports } = await startHosts({ 'backup1.localhost': { fault: 'refuse' } });
  const { watch, stateOf, setDown, states } = startWatch({
    hosts: ['http://line1.localhost'],
    fallback: ['http://backup1.localhost', 'http://backup2.localhost'],
    ports,
  });
  await watch.probeLines();
  expect(stateOf('http://backup1.localhost')).toMatchObject({ role: 'backup', condition: 'down' });
  expect(stateOf('http://backup2.localhost')).toMatchObject({ role: 'backup', condition: 'up' });
  expect(states.get('backup http://backup1.localhost')).toBe('down');
  for (const [ids] of setDown.mock.calls) expect(ids).toEqual(new Set());
});

test('remembers since when a line is as it is, and when it came back', async () => {
  const hosts = await startHosts({ 'line1.localhost': { fault: 'refuse' } });
  const { watch, stateOf, clock } = startWatch({ hosts: ['http://line1.localhost'], ports: hosts.ports });
  await watch.probeLines();
  clock.now += 30_000;
  await watch.probeLines();
  expect(stateOf('http://line1.localhost')).toMatchObject({
    condition: 'down',
    since: 1_000_000,
    checkedAt: 1_030_000,
    recoveredAt: undefined,
  });
  hosts.set('line1.localhost', {});
  clock.now += 30_000;
  await watch.probeLines();
  expect(stateOf('http://line1.localhost')).toMatchObject({
    condition: 'up',
    since: 1_060_000,
    recoveredAt: 1_060_000,
  });
});

describe('after one bad check', () => {
  test('a line is asked every 5 s until three were bad, and no longer', async () => {
    const hosts = await startHosts({ 'line1.localhost': { fault: 'refuse' } });
    const { watch, stateOf, clock } = startWatch({ hosts: ['http://line1.localhost'], ports: hosts.ports });
    const settledAfter = async (ms: number) => {
      clock.now += ms;
      await watch.recheckLines();
      const { settled, streak } = stateOf('http://line1.localhost') ?? {};
      return [settled, streak];
    };
    await watch.probeLines();
    expect(await settledAfter(4_999)).toEqual([undefined, 1]);
    expect(await settledAfter(1)).toEqual([undefined, 2]);
    expect(await settledAfter(5_000)).toEqual(['down', 3]);
    expect(await settledAfter(5_000)).toEqual(['down', 3]);
    hosts.set('line1.localhost', {});
    await watch.probeLines();
    expect(stateOf('http://line1.localhost')).toMatchObject({ condition: 'up', settled: 'down' });
    expect(await settledAfter(5_000)).toEqual(['up', 2]);
  });

  test('two good ones settle that it was an accident', async () => {
    const hosts = await startHosts();
    const { watch, stateOf, clock } = startWatch({ hosts: ['http://line1.localhost'], ports: hosts.ports });
    await watch.probeLines();
    hosts.set('line1.localhost', { fault: 'refuse' });
    await watch.probeLines();
    hosts.set('line1.localhost', {});
    clock.now += 5_000;
    await watch.recheckLines();
    expect(stateOf('http://line1.localhost')).toMatchObject({ condition: 'up', settled: 'up', streak: 1 });
  });
});

describe('one line never stops the watch of the others', () => {
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
    const bad = `${scheme}://bad.localhost:${port}`;
    const { watch, stateOf } = startWatch({ hosts: [bad, 'http://line1.localhost'], ports });
    await watch.probeLines();
    await watch.probeLines();
    expect(stateOf(bad)?.condition).toBe('down');
    expect(stateOf('http://line1.localhost')?.condition).toBe('up');
  });

  test('whose request never settles, or throws', async () => {
    const askLine: AskLine = async (address) => {
      if (address.includes('hangs')) return new Promise(() => undefined);
      if (address.includes('throws')) throw new Error('no');
      return GOOD_REPLY;
    };
    const { watch, stateOf } = startWatch(
      { hosts: ['http://hangs.localhost', 'http://throws.localhost', 'http://line1.localhost'], ports: [80] },
      { askLine, deadlineMs: 50 },
    );
    await watch.probeLines();
    expect(stateOf('http://hangs.localhost')?.condition).toBe('down');
    expect(stateOf('http://throws.localhost')?.condition).toBe('down');
    expect(stateOf('http://line1.localhost')?.condition).toBe('up');
  });

  test('and all lines are asked, however many are silent', async () => {
    const hosts = Array.from({ length: 200 }, (_, index) => `http://line${index}.localhost`);
    const askLine: AskLine = async () => ({ kind: 'timeout' });
    const { watch } = startWatch({ hosts, ports: [1, 2, 3] }, { askLine });
    await watch.probeLines();
    expect(watch.states().size).toBe(200);
  });
});

describe('the application of a line', () => {
  const HEALTH: HealthRule = {
    path: '/health',
    expect: { status: 200, json: { path: 'parts.database', value: true } },
    everySeconds: 30,
    timeoutMs: 500,
  };
  const LINES = { hosts: ['http://line1.localhost', 'http://line2.localhost'], health: HEALTH };
  const idOf = (watch: LineWatch, host: string): string =>
    [...watch.states()].find(([, state]) => state.host === host)?.[0] ?? '';
  const applicationFaults = (state: LineState | undefined) =>
    state?.health?.faults.map(({ fault }) => fault.kind);

  test.each<[NonNullable<LineBehaviour['fault']>, string]>([
    ['dead-application', 'health-status'],
    ['hanging-application', 'health-no-answer'],
  ])(
    'takes it out within 60 s where it is dead (%s), although its speed check is perfect',
    async (fault, kind) => {
      const hosts = await startHosts();
      const { watch, stateOf, setDown, clock } = startWatch({ ...LINES, ports: hosts.ports });
      await watch.probeLines();
      await watch.probeApplications();
      expect(stateOf('http://line1.localhost')?.condition).toBe('up');
      hosts.set('line1.localhost', { fault });
      const diedAt = clock.now;
      // The server looks every second whether an application is due.
      while (stateOf('http://line1.localhost')?.condition === 'up' && clock.now < diedAt + 60_000) {
        clock.now += 1_000;
        await watch.probeApplications();
      }
      const id = idOf(watch, 'http://line1.localhost');
      expect(setDown).toHaveBeenLastCalledWith(new Set([id]), new Set([id]));
      const state = stateOf('http://line1.localhost');
      expect([state?.condition, applicationFaults(state)]).toEqual(['down', [kind, kind]]);
      // The console says which of the two failed.
      expect(faultsOf(state)).toEqual([[], []]);
      expect(stateOf('http://line2.localhost')?.condition).toBe('up');
      // The next speed check does not bring it back. Its application does.
      await watch.probeLines();
      expect(stateOf('http://line1.localhost')?.condition).toBe('down');
      hosts.set('line1.localhost', {});
      clock.now += 5_000;
      await watch.recheckLines();
      expect(stateOf('http://line1.localhost')?.condition).toBe('up');
      expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
    },
  );

  test('is asked as often as the site folder says, and at another port each time', async () => {
    const { ports } = await startHosts();
    const asked: string[] = [];
    const { watch, clock } = startWatch(
      { hosts: ['http://line1.localhost'], health: HEALTH, ports },
      {
        askLine: async (address, options) => {
          if (options.path === '/health') asked.push(new URL(address).port);
          return requestLine(address, { now: () => performance.now(), ...options });
        },
      },
    );
    await watch.probeApplications();
    expect(asked).toEqual([]);
    await watch.probeLines();
    for (let second = 0; second < 60; second += 1) {
      await watch.probeApplications();
      clock.now += 1_000;
    }
    expect(asked).toHaveLength(2);
    expect(new Set(asked)).toEqual(new Set(ports.map(String)));
  });

  test('that is not well at one port of two makes it degraded', async () => {
    const { ports } = await startHosts();
    const [, bad = 0] = ports;
    const { watch, stateOf } = startWatch(
      { hosts: ['http://line1.localhost'], health: HEALTH, ports },
      {
        askLine: async (address, options) => {
          if (options.path === '/health' && address.endsWith(`:${bad}`)) return { kind: 'timeout' };
          return requestLine(address, { now: () => performance.now(), ...options });
        },
      },
    );
    await watch.probeLines();
    await watch.probeApplications();
    const state = stateOf('http://line1.localhost');
    expect([state?.condition, applicationFaults(state)]).toEqual(['degraded', ['health-no-answer']]);
  });

  test('is not asked where the speed check fails: visitors may reach the line although the server does not', async () => {
    const hosts = await startHosts({ 'line1.localhost': { fault: 'dead-application' } });
    const { watch, setDown } = startWatch(
      { ...LINES, ports: hosts.ports },
      {
        askLine: async (address, options) =>
          address.includes('line1')
            ? { kind: 'timeout' }
            : requestLine(address, { now: () => performance.now(), ...options }),
      },
    );
    await watch.probeLines();
    await watch.probeApplications();
    expect(setDown).toHaveBeenLastCalledWith(new Set([idOf(watch, 'http://line1.localhost')]), new Set());
  });

  test('that sends an endless body is read to 64 KB, and is no JSON', async () => {
    const { ports } = await startHosts({ 'line1.localhost': { fault: 'huge-body' } });
    const read: number[] = [];
    const { watch, stateOf } = startWatch(
      { ...LINES, ports },
      {
        askLine: async (address, options) => {
          const reply = await requestLine(address, { now: () => performance.now(), ...options });
          if (reply.kind === 'answer' && reply.body !== undefined) read.push(reply.body.length);
          return reply;
        },
      },
    );
    await watch.probeLines();
    await watch.probeApplications();
    expect(applicationFaults(stateOf('http://line1.localhost'))).toEqual(['health-body', 'health-body']);
    expect(Math.max(...read)).toBe(65_536);
  });

  test('is forgotten when the rule is taken out of the site folder', async () => {
    const { ports } = await startHosts({ 'line1.localhost': { fault: 'dead-application' } });
    const { watch, stateOf, config } = startWatch({ ...LINES, ports });
    await watch.probeLines();
    await watch.probeApplications();
    expect(stateOf('http://line1.localhost')?.condition).toBe('down');
    Object.assign(config.lines, { health: undefined });
    await watch.probeLines();
    expect(stateOf('http://line1.localhost')?.condition).toBe('up');
  });
});

describe('where there are other replicas', () => {
  const HOSTS = ['http://line1.localhost', 'http://line2.localhost', 'http://line3.localhost'];
  const WELL = { isCutOff: false, down: [], dead: [] };

  /** A server that reaches these lines only. */
  async function watchAll(isReached: (address: string) => boolean) {
    const watched = startWatch(
      { hosts: HOSTS, ports: [80] },
      { askLine: async (address) => (isReached(address) ? GOOD_REPLY : { kind: 'timeout' }) },
    );
    await watched.watch.probeLines();
    const idOf = (host: string): string =>
      [...watched.watch.states()].find(([, state]) => state.host === host)?.[0] ?? '';
    return { ...watched, ids: HOSTS.map(idOf) };
  }

  test('a line that only this one loses stays in, and is shown as degraded', async () => {
    const { watch, stateOf, setDown, ids } = await watchAll((address) => !address.includes('line1'));
    expect(setDown).toHaveBeenLastCalledWith(new Set([ids[0]]), new Set());
    watch.setOthers([WELL, WELL]);
    expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
    expect(stateOf('http://line1.localhost')).toMatchObject({ condition: 'degraded', seen: 'down' });
    // A check that finds the same changes nothing.
    await watch.probeLines();
    expect(stateOf('http://line1.localhost')?.condition).toBe('degraded');
    expect(watch.view()).toEqual({ isCutOff: false, down: [ids[0]], dead: [] });
  });

  test('a line that most lose is out, although this one reaches it', async () => {
    const { watch, stateOf, setDown, ids } = await watchAll(() => true);
    const lost = { ...WELL, down: [ids[1] ?? ''], dead: [ids[1] ?? ''] };
    watch.setOthers([lost, lost]);
    expect(setDown).toHaveBeenLastCalledWith(new Set([ids[1]]), new Set([ids[1]]));
    expect(stateOf('http://line2.localhost')).toMatchObject({ condition: 'down', seen: 'up' });
    watch.setOthers([WELL, lost]);
    expect(stateOf('http://line2.localhost')).toMatchObject({ condition: 'up' });
    expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
  });

  test('one that is cut off from all lines changes nothing, and says so', async () => {
    const { watch, stateOf, setDown, ids } = await watchAll(() => false);
    expect(watch.view()).toMatchObject({ isCutOff: true, dead: [] });
    expect(new Set(watch.view()?.down)).toEqual(new Set(ids));
    watch.setOthers([WELL, WELL]);
    expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
    for (const host of HOSTS) expect(stateOf(host)?.condition).toBe('up');
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
