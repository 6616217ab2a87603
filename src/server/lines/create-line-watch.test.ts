import { afterEach, describe, expect, test, vi } from 'vitest';
import { pino } from 'pino';
import type { HealthRule } from '../../contract/site/line-settings.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { LineBehaviour } from '../../line/line-behaviour.ts';
import { requestLine } from '../../line/request-line.ts';
import { type LineHosts, startLineHosts } from '../../line/start-line-hosts.ts';
import type { Steering } from '../learning/create-steering.ts';
import { createLineTable } from '../site/create-line-table.ts';
import type { AskLine } from './create-line-asker.ts';
import type { LineState } from './line-state.ts';
import { type LineWatch, createLineWatch } from './create-line-watch.ts';

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
  deps: { readonly askLine?: AskLine } = {},
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
  const config = { lines: settings, publicUrl: '' } as unknown as SiteConfig;
  const table = createLineTable(config.lines);
  const setDown = vi.fn<Steering['setDown']>();
  const states = new Map<string, string>();
  const clock = { now: 1_000_000 };
  const watch = createLineWatch({
    site: () => ({ lines: table, config }),
    askLine: sendRequest,
    signal: new AbortController().signal,
    steering: { setDown },
    metrics: {
      countProbe: () => undefined,
      setLineState: (host, role, { isUp, hasPage }) =>
        void states.set(`${role} ${host}`, `${isUp ? 'up' : 'down'}${hasPage ? '' : ', no page'}`),
      forgetLine: () => undefined,
    },
    random: Math.random,
    log: pino({ level: 'silent' }),
    now: () => clock.now,
    confirmation: () => ({ everySeconds: 5, bad: 3, good: 2 }),
    ...deps,
  });
  const stateOf = (host: string): LineState | undefined =>
    [...watch.states().values()].find((state) => state.host === host);
  return { watch, stateOf, setDown, states, clock, config };
}

/** The limit is long, since a line may be slow on a busy machine. */
const sendRequest: AskLine = (address, options) =>
  requestLine(address, { now: () => performance.now(), timeoutMs: 30_000, ...options });

async function startHosts(behaviours: Readonly<Record<string, LineBehaviour>> = {}): Promise<LineHosts> {
  const hosts = await startLineHosts({ marker: MARKER, ports: [0, 0] });
  closing.push(hosts.close);
  for (const [name, behaviour] of Object.entries(behaviours)) hosts.set(name, behaviour);
  return hosts;
}

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

test('all lines are asked, also if 200 are silent', async () => {
  const hosts = Array.from({ length: 200 }, (_, index) => `http://line${index}.localhost`);
  const askLine: AskLine = async () => ({ kind: 'timeout' });
  const { watch } = startWatch({ hosts, ports: [1, 2, 3] }, { askLine });
  await watch.probeLines();
  expect(watch.states().size).toBe(200);
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
          return sendRequest(address, options);
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
    clock.now -= 1_000_000;
    await watch.probeApplications();
    expect(asked).toHaveLength(3);
    expect(new Set(asked)).toEqual(new Set(ports.map(String)));
  });

  test('is not asked where the speed check fails: visitors may reach the line although the server does not', async () => {
    const hosts = await startHosts({ 'line1.localhost': { fault: 'dead-application' } });
    const { watch, setDown } = startWatch(
      { ...LINES, ports: hosts.ports },
      {
        askLine: async (address, options) =>
          address.includes('line1') ? { kind: 'timeout' } : sendRequest(address, options),
      },
    );
    await watch.probeLines();
    await watch.probeApplications();
    expect(setDown).toHaveBeenLastCalledWith(new Set([idOf(watch, 'http://line1.localhost')]), new Set());
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
