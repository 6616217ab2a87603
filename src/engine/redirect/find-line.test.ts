import { describe, expect, test } from 'vitest';
import { findLine, type FindLineSettings, type FoundLine } from './find-line.ts';
import type { FakeAnswer } from '../testing/create-fake-network.ts';
import { createFakeWorld, type FakeWorld } from '../testing/create-fake-world.ts';
import { createRandom } from '../testing/create-random.ts';
import { answerFromDocument } from '../portal/answer-from-document.ts';

const HOSTS = ['a.example', 'b.example', 'c.example', 'd.example'];
const FALLBACK = ['w.example', 'x.example', 'y.example', 'z.example'];

function createWorld(hosts: unknown = HOSTS, random?: () => number): FakeWorld {
  const world = createFakeWorld(random);
  world.network.portal.set('/api/get_ip', { body: { get_ip: '192.0.2.7', key_id: 'signed' } });
  world.network.portal.set('/api/hostnames', { body: hosts });
  return world;
}

function start(
  world: FakeWorld,
  linksSettled: Promise<unknown> = Promise.resolve(),
  fetchAhead: FindLineSettings['fetchAhead'] = () => undefined,
): Promise<FoundLine> {
  const { signal } = new AbortController();
  const prober = world.createProber();
  return findLine({
    ...world,
    prober,
    fallback: FALLBACK,
    callerService: '',
    askLinks: () => linksSettled,
    fetchAhead,
    signal,
  });
}

function breakAll(
  world: FakeWorld,
  hosts: readonly string[],
  answer: FakeAnswer = { isHanging: true },
): void {
  for (const host of hosts) world.network.lines.set(host, answer);
}

/** Lets the hostname answer name a favourite. */
function nameFavourite(world: FakeWorld, favourite: string | undefined, body: unknown = HOSTS): void {
  const headers = favourite === undefined ? {} : { 'Waypost-Favourite': favourite };
  world.network.portal.set('/api/hostnames', { body, headers });
}

const pathsOf = (world: FakeWorld) =>
  world.network.requests.map(({ url }) => new URL(url, 'https://portal').pathname);

describe('findLine', () => {
  test('sends its first probe at once if the document carries the answers', async () => {
    const world = createWorld();
    const answers = {
      '/json/link.json': { body: {} },
      '/api/get_ip': { body: { get_ip: '192.0.2.7', key_id: 'proof' } },
      '/api/hostnames': { body: ['a.example'], headers: { 'Waypost-Ticket': 'ticket' } },
    };
    const fetch = answerFromDocument(JSON.stringify({ until: world.now() + 600_000, answers }), world);
    const found = start(
      { ...world, fetch },
      fetch('/json/link.json', { signal: new AbortController().signal }),
    );
    await world.clock.advance(1);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'a.example' } });
    expect(pathsOf(world)).toEqual(['/speed.php']);
  });

  test('tells what the portal has answered, although a fallback host has won long before', async () => {
    const world = createWorld();
    world.network.portal.set('/api/hostnames', { status: 451, delayMs: 8_000 });
    const told: unknown[] = [];
    const found = findLine({
      ...world,
      prober: world.createProber(),
      fallback: FALLBACK,
      callerService: '',
      askLinks: () => Promise.resolve(),
      onHosts: (answer) => told.push(answer),
      signal: new AbortController().signal,
    });
    await world.clock.advance(4_000);
    expect(await found).toMatchObject({ kind: 'found' });
    expect(told).toEqual([]);
    await world.clock.advance(4_000);
    expect(told).toEqual([{ kind: 'restricted' }]);
  });

  test('asks for the caller, then the hostnames, then probes four lines, and takes the fastest', async () => {
    const world = createWorld();
    world.network.lines.set('a.example', { delayMs: 90 });
    world.network.lines.set('b.example', { delayMs: 160 });
    world.network.lines.set('c.example', { delayMs: 40 });
    world.network.lines.set('d.example', { isHanging: true });
    const found = start(world);
    await world.clock.advance(40);
    expect(await found).toMatchObject({
      kind: 'found',
      line: { host: 'c.example', address: 'https://www20000.c.example:9900' },
    });
    expect(pathsOf(world)).toEqual(['/api/get_ip', '/api/hostnames', ...HOSTS.map(() => '/speed.php')]);
    expect(world.clock.openTimers()).toBe(0);
    expect(world.network.openRequests()).toBe(0);
  });

  test('probes no more than four of a long list', async () => {
    const world = createWorld(Array.from({ length: 9 }, (_, index) => `n${index}.example`));
    breakAll(world, ['.example']);
    void start(world);
    await world.clock.advance(1_000);
    expect(world.network.sent('/speed.php')).toHaveLength(4);
  });

  test('draws the four of a long list by lot', async () => {
    const hosts = Array.from({ length: 9 }, (_, index) => `n${index}.example`);
    const probed = new Set<string>();
    for (let seed = 1; seed <= 30; seed += 1) {
      const world = createWorld(hosts, createRandom(seed));
      breakAll(world, ['.example']);
      void start(world);
      await world.clock.advance(0);
      for (const { url } of world.network.sent('/speed.php')) probed.add(/n\d/.exec(url)?.[0] ?? '');
    }
    expect(probed.size).toBe(9);
  });

  test('lets the fallback hosts join at 1.5 s, and one of them win', async () => {
    const world = createWorld();
    breakAll(world, HOSTS);
    const found = start(world);
    await world.clock.advance(1_499);
    expect(world.network.sent('/speed.php')).toHaveLength(4);
    await world.clock.advance(2);
    expect(world.network.sent('/speed.php')).toHaveLength(8);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'w.example' } });
    expect(world.network.openRequests()).toBe(0);
  });

  test('lets the fallback hosts join at once when every listed line has failed', async () => {
    const world = createWorld();
    breakAll(world, HOSTS, { isDown: true });
    const found = start(world);
    await world.clock.advance(1);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'w.example' } });
    expect(world.clock.openTimers()).toBe(0);
  });

  test.each([
    ['empty', { body: [] }],
    ['an error', { status: 500, body: {} }],
    ['a limit that is hit', { status: 429, body: {} }],
    ['garbage', { body: 'garbage' }],
    ['unreachable', { isDown: true }],
    [
      'nothing but bad hosts',
      { body: ['javascript:alert(1)', '//evil.example', 'https://good@evil.example', 'a\nb'] },
    ],
  ])('races the fallback hosts at once when the list is %s', async (_, answer) => {
    const world = createWorld();
    world.network.portal.set('/api/hostnames', answer);
    const found = start(world);
    await world.clock.advance(1);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'w.example' } });
    expect(world.network.sent('evil')).toEqual([]);
  });

  test('races the fallback hosts when the hostname call has not answered after 3 s', async () => {
    const world = createWorld();
    world.network.portal.set('/api/hostnames', { isHanging: true });
    const found = start(world);
    await world.clock.advance(2_999);
    expect(world.network.sent('/speed.php')).toEqual([]);
    await world.clock.advance(2);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'w.example' } });
    // It may still say that the region is restricted.
    expect(world.network.requests.filter(({ state }) => state === 'open').map(({ url }) => url)).toEqual([
      '/api/hostnames',
    ]);
    await world.clock.advance(30_000);
    expect(world.network.openRequests()).toBe(0);
    expect(world.clock.openTimers()).toBe(0);
  });

  test('lets a late list join the fallback hosts', async () => {
    const world = createWorld();
    world.network.portal.set('/api/hostnames', { body: HOSTS, delayMs: 4_000 });
    breakAll(world, FALLBACK);
    const found = start(world);
    await world.clock.advance(4_001);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'a.example' } });
  });

  test('goes on without the caller’s address after 3 s', async () => {
    const world = createWorld();
    world.network.portal.set('/api/get_ip', { isHanging: true });
    const found = start(world);
    await world.clock.advance(3_001);
    expect(await found).toMatchObject({ kind: 'found' });
    expect(world.network.sent('/api/hostnames')[0]?.init.headers).toEqual({});
  });

  test('sends no probe before the links config has settled', async () => {
    const world = createWorld();
    let settle: () => void = () => undefined;
    const found = start(world, new Promise<void>((resolve) => (settle = resolve)));
    await world.clock.advance(4_000);
    expect(world.network.sent('/speed.php')).toEqual([]);
    settle();
    await world.clock.advance(1);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'a.example' } });
    // The list was in time: its lines have their start of 1.5 s over the fallback hosts.
    expect(world.network.sent('/speed.php')).toHaveLength(4);
  });

  test('finds none where nothing answers, and leaves nothing behind', async () => {
    const world = createWorld();
    breakAll(world, ['.example']);
    const found = start(world);
    await world.clock.advance(6_500);
    expect(await found).toEqual({ kind: 'none' });
    expect(world.network.sent('/speed.php')).toHaveLength(8);
    expect(world.clock.openTimers()).toBe(0);
    expect(world.network.openRequests()).toBe(0);
  });

  test('never chooses another server, although it is the fastest', async () => {
    const world = createWorld(['evil.example', 'a.example']);
    world.network.lines.set('evil.example', { headers: { server: 'evil' } });
    world.network.lines.set('a.example', { delayMs: 900 });
    const found = start(world);
    await world.clock.advance(900);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'a.example' } });
  });

  test.each([
    ['restricted', { status: 451 }],
    ['maintenance', { status: 503, headers: { 'Waypost-Closed': 'maintenance' } }],
  ])(
    'revokes the line where a late answer refuses (%s), although a fallback host has won',
    async (closing, answer) => {
      const world = createWorld();
      world.network.portal.set('/api/hostnames', { ...answer, body: {}, delayMs: 4_000 });
      const finding = start(world);
      await world.clock.advance(3_500);
      const found = await finding;
      if (found.kind !== 'found') expect.fail(found.kind);
      let isRevoked: unknown;
      void found.revokedBy.then((closing) => (isRevoked = closing));
      await world.clock.advance(499);
      expect(isRevoked).toBeUndefined();
      await world.clock.advance(1);
      expect(isRevoked).toBe(closing);
      expect(world.clock.openTimers()).toBe(0);
    },
  );

  test('lets the winner stand where a late answer is a list', async () => {
    const world = createWorld();
    world.network.portal.set('/api/hostnames', { body: HOSTS, delayMs: 4_000 });
    const finding = start(world);
    await world.clock.advance(4_000);
    const found = await finding;
    if (found.kind !== 'found') expect.fail(found.kind);
    expect(await found.revokedBy).toBeUndefined();
    expect(found.line.host).toBe('w.example');
    expect(world.network.sent('a.example')).toEqual([]);
  });

  test('drops bad entries and repeated hosts before it takes the first four', async () => {
    const bad = ['javascript:alert(1)', 'a b', { host: 'x/y' }, 'https://good@evil.example'];
    const world = createWorld([
      ...bad,
      'a.example',
      'A.example',
      'https://a.example',
      'b.example',
      'c.example',
      'd.example',
    ]);
    breakAll(world, ['.example']);
    void start(world);
    await world.clock.advance(1_000);
    const asked = world.network
      .sent('/speed.php')
      .map(({ url }) => new URL(url).hostname.replace('www20000.', ''));
    expect(asked.toSorted()).toEqual(HOSTS);
  });

  test.each([0, 3_500])(
    'finds nothing in a restricted region where no fallback host was faster (answer after %i ms)',
    async (delayMs) => {
      const world = createWorld();
      breakAll(world, FALLBACK);
      world.network.portal.set('/api/hostnames', { status: 451, body: {}, delayMs });
      const found = start(world);
      await world.clock.advance(delayMs + 1);
      expect(await found).toEqual({ kind: 'restricted' });
      expect(world.network.openRequests()).toBe(0);
      expect(world.clock.openTimers()).toBe(0);
    },
  );

  test('has the favourite fetched ahead, with its own address, when the links are in and the probes are sent', async () => {
    const world = createWorld();
    nameFavourite(world, '2');
    breakAll(world, HOSTS, { delayMs: 100 });
    const fetched: string[] = [];
    let settle: () => void = () => undefined;
    void start(world, new Promise<void>((resolve) => (settle = resolve)), ({ address }) => {
      expect(world.network.sent('/speed.php')).toHaveLength(4);
      fetched.push(address);
    });
    await world.clock.advance(50);
    expect(fetched).toEqual([]);
    settle();
    await world.clock.advance(50);
    expect(fetched).toEqual(['https://www20000.c.example:9900']);
  });

  test('goes to the line that wins, whatever was fetched ahead', async () => {
    const world = createWorld();
    nameFavourite(world, '0');
    world.network.lines.set('a.example', { headers: { server: 'evil' } });
    breakAll(world, ['b.example', 'c.example'], { delayMs: 100 });
    const found = start(world);
    await world.clock.advance(50);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'd.example' } });
  });

  test.each([undefined, '', '4', '-1', 'length', 'map'])(
    'has nothing fetched ahead where the answer names no line of its list (%s)',
    async (favourite) => {
      const world = createWorld();
      nameFavourite(world, favourite);
      const fetched: unknown[] = [];
      void start(world, undefined, (line) => fetched.push(line));
      await world.clock.advance(50);
      expect(fetched).toEqual([]);
    },
  );

  test('has no line fetched ahead that is no plain host', async () => {
    const world = createWorld();
    nameFavourite(world, '0', ['javascript:alert(1)', 'b.example']);
    const fetched: unknown[] = [];
    void start(world, undefined, (line) => fetched.push(line));
    await world.clock.advance(50);
    expect(fetched).toEqual([]);
  });
});
