import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LAST_LINKS_KEY } from '../../contract/page/storage-keys.ts';
import { fetchCaller } from './fetch-caller.ts';
import { fetchHostnames } from './fetch-hostnames.ts';
import { fetchTarget } from './fetch-target.ts';
import { loadLinks, waitForLinks } from './load-links.ts';
import { type FakeWorld, createFakeWorld } from '../testing/create-fake-world.ts';

const { signal } = new AbortController();
const caller = { get_ip: '192.0.2.7', key_id: 'signed' };

describe('fetchCaller', () => {
  test('asks our own server, or the service that the site names', async () => {
    const world = createFakeWorld();
    world.network.portal.set('/api/get_ip', { body: caller });
    const own = fetchCaller('', signal, world);
    void fetchCaller('https://ip.example', signal, world);
    await world.clock.advance(1);
    expect(await own).toEqual(caller);
    expect(world.network.requests.map(({ url }) => url)).toEqual([
      '/api/get_ip',
      'https://ip.example/api/get_ip',
    ]);
  });

  test('waits for an answer until 3 s have gone by', async () => {
    const world = createFakeWorld();
    world.network.portal.set('/api/get_ip', { body: caller, delayMs: 2_999 });
    const asked = fetchCaller('', signal, world);
    await world.clock.advance(3_000);
    expect(await asked).toEqual(caller);
  });

  test.each([
    ['an error status with nonsense', { status: 500, body: 'x' }],
    ['an error status with a good body', { status: 500, body: caller }],
    ['an address with letters that no header can carry', { body: { ...caller, get_ip: '地址' } }],
    ['an address with a line break', { body: { ...caller, get_ip: '192.0.2.7\r\nx: y' } }],
    ['a key with a control character', { body: { ...caller, key_id: 'a\u0000b' } }],
    ['a key that is too long for a header', { body: { ...caller, key_id: 'k'.repeat(2_001) } }],
    ['an answer without a key', { body: { get_ip: '192.0.2.7' } }],
    ['null', { body: null }],
    ['a failure', { isDown: true }],
    ['no answer within 3 s', { isHanging: true }],
  ])('takes %s for no answer', async (_, answer) => {
    const world = createFakeWorld();
    world.network.portal.set('/api/get_ip', answer);
    const asked = fetchCaller('', signal, world);
    await world.clock.advance(3_000);
    expect(await asked).toBeUndefined();
    expect(world.clock.openTimers()).toBe(0);
    expect(world.network.openRequests()).toBe(0);
  });
});

describe('fetchCaller, of a key that is a number,', () => {
  const ask = async (json: string) => {
    const world = createFakeWorld();
    const fetch = () => Promise.resolve(new Response(json));
    return (await fetchCaller('', signal, { ...world, fetch }))?.key_id;
  };

  test.each([
    ['{"get_ip":"192.0.2.7","key_id":12345678901234567890}', '12345678901234567890'],
    ['{ "key_id" : 12345678901234567890 , "get_ip" : "192.0.2.7" }', '12345678901234567890'],
    ['{"get_ip":"192.0.2.7","key_id":1.50}', '1.50'],
    ['{"get_ip":"192.0.2.7","key_id":-7}', '-7'],
    ['{"get_ip":"192.0.2.7","key_id":42}', '42'],
    ['{"get_ip":"\\"key_id\\": 1","key_id":2}', '2'],
    ['{"key":"key_id","get_ip":"192.0.2.7","key_id":"007"}', '007'],
    ['{"more":{"key_id":1},"get_ip":"192.0.2.7","key_id":2}', '2'],
  ])('passes %s on as it is written', async (json, key) => {
    expect(String(await ask(json))).toBe(key);
  });
});

describe('fetchHostnames', () => {
  async function ask(answer: object, asCaller: Parameters<typeof fetchHostnames>[0] = caller) {
    const world = createFakeWorld();
    world.network.portal.set('/api/hostnames', answer);
    const asked = fetchHostnames(asCaller, signal, world);
    await world.clock.advance(30_000);
    return { hostnames: await asked, request: world.network.requests[0], world };
  }

  test('passes the caller on unchanged, a numeric key too', async () => {
    const { request } = await ask({ body: [] }, { get_ip: '2001:db8::1', key_id: 42 });
    expect(request?.init.headers).toEqual({ RealUserAddr: '2001:db8::1', RealUserID: '42' });
    expect(request?.url).toBe('/api/hostnames');
  });

  test('goes on without the two headers where the caller is unknown', async () => {
    const world = createFakeWorld();
    void fetchHostnames(undefined, signal, world);
    expect(world.network.requests[0]?.init.headers).toEqual({});
  });

  test('reads names and objects, drops what is neither, and keeps the ticket', async () => {
    const body = ['a.example', { host: 'b.example', noWWW: true }, 7, null, { name: 'c' }, ['d.example']];
    const { hostnames } = await ask({ body, headers: { 'Waypost-Ticket': 'ticket-1' } });
    if (hostnames?.kind !== 'listed') expect.fail('no list');
    expect(hostnames.hosts).toEqual([{ host: 'a.example' }, { host: 'b.example', noWWW: true }]);
    expect(hostnames.headers?.get('Waypost-Ticket')).toBe('ticket-1');
  });

  test.each([
    ['an error status', { status: 500, body: ['a.example'] }],
    ['a limit that is hit', { status: 429, body: { error: { code: 'rate-limited' } } }],
    ['an object', { body: { hosts: [] } }],
    ['a failure', { isDown: true }],
    ['no answer within 30 s', { isHanging: true }],
  ])('takes %s for an empty list', async (_, answer) => {
    const { hostnames, world } = await ask(answer);
    expect(hostnames).toMatchObject({ kind: 'listed', hosts: [] });
    expect(world.network.openRequests()).toBe(0);
  });

  test('waits for a list until 30 s have gone by', async () => {
    const { hostnames } = await ask({ body: ['a.example'], delayMs: 29_999 });
    expect(hostnames).toMatchObject({ hosts: [{ host: 'a.example' }] });
  });

  test('knows a restricted region by its headers, although the body never ends', async () => {
    const world = createFakeWorld();
    const fetch = () => Promise.resolve(new Response(new ReadableStream(), { status: 451 }));
    expect(await fetchHostnames(caller, signal, { ...world, fetch })).toEqual({ kind: 'restricted' });
    expect(world.clock.openTimers()).toBe(0);
  });

  test('tells a restricted region, and a site that is closed for maintenance, from an empty list', async () => {
    expect((await ask({ status: 451, body: [] })).hostnames).toEqual({ kind: 'restricted' });
    const headers = { 'Waypost-Closed': 'maintenance' };
    expect((await ask({ status: 503, headers, body: [] })).hostnames).toEqual({ kind: 'maintenance' });
  });

  test('takes the 503 of a proxy whose portal is away for a failure', async () => {
    const headers = { 'Retry-After': '60' };
    expect((await ask({ status: 503, headers, body: [] })).hostnames).toMatchObject({
      kind: 'listed',
      hosts: [],
    });
  });
});

describe('fetchTarget', () => {
  test.each([
    [
      'an object of hosts',
      { body: { b: 'b.example', a: 'a.example' } },
      { kind: 'listed', hosts: ['b.example', 'a.example'] },
    ],
    ['an empty object', { body: {} }, { kind: 'failed' }],
    ['a text', { body: 'abc' }, { kind: 'failed' }],
    ['null', { body: null }, { kind: 'failed' }],
    ['a server error with a good body', { status: 500, body: { a: 'a.example' } }, { kind: 'failed' }],
    ['a missing file', { status: 404, body: {} }, { kind: 'failed' }],
    ['a failure', { isDown: true }, { kind: 'failed' }],
    ['a restricted region', { status: 451, body: {} }, { kind: 'restricted' }],
    [
      'a site that is closed for maintenance',
      { status: 503, headers: { 'Waypost-Closed': 'maintenance' }, body: {} },
      { kind: 'maintenance' },
    ],
  ])('reads %s', async (_, answer, expected) => {
    const world = createFakeWorld();
    world.network.portal.set('/json/urls/app.json', answer);
    const asked = fetchTarget('app', signal, world);
    await world.clock.advance(1);
    expect(await asked).toEqual(expected);
  });
});

describe('fetchTarget, of the order,', () => {
  const read = async (json: string) => {
    const world = createFakeWorld();
    const fetch = () => Promise.resolve(new Response(json));
    return fetchTarget('app', signal, { ...world, fetch });
  };

  test('keeps that of the file, whole numbers as keys too', async () => {
    const json =
      '{"10":"ten.example","2":"two.example","b":"b.example","-1":"minus.example","1":"one.example"}';
    const hosts = ['ten.example', 'two.example', 'b.example', 'minus.example', 'one.example'];
    expect(await read(json)).toEqual({ kind: 'listed', hosts });
  });

  test('is that of the file for every object of texts', async () => {
    const entries = fc.uniqueArray(fc.tuple(fc.oneof(fc.nat().map(String), fc.string()), fc.string()), {
      selector: ([key]) => key,
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(entries, fc.constantFrom('', ' ', '\n\t'), async (pairs, space) => {
        const members = pairs.map(
          ([key, value]) => `${JSON.stringify(key)}${space}:${JSON.stringify(value)}`,
        );
        const hosts = pairs.map(([, value]) => value);
        expect(await read(`{${members.join(`,${space}`)}}`)).toEqual({ kind: 'listed', hosts });
      }),
    );
  });

  test('leaves what is no text in its place, for others to refuse', async () => {
    expect(await read('{"a":7,"b":"a.example","c":null,"d":{"x":"y"}}')).toEqual({
      kind: 'listed',
      hosts: [7, 'a.example', null, expect.anything()],
    });
  });
});

describe('loadLinks', () => {
  const links = { ub: 'https://ub.example/', service: 'mailto:help@example.com' };

  test('keeps the usable links and leaves the bad ones out', async () => {
    const world = createFakeWorld();
    world.network.portal.set('/json/link.json', {
      body: { ...links, esb: 'javascript:alert(1)', wallet: 7 },
    });
    const loading = loadLinks(signal, world, { onKept: () => undefined });
    await world.clock.advance(1);
    expect(await loading).toEqual({ kind: 'loaded', links });
  });

  test('tries three times, waiting longer each time, then falls back to the last good config', async () => {
    const world = createFakeWorld();
    world.store.set(LAST_LINKS_KEY, JSON.stringify(links));
    world.network.portal.set('/json/link.json', { isDown: true });
    const loading = loadLinks(signal, world, { onKept: () => undefined });
    const sentAfter = async (ms: number) => {
      await world.clock.advance(ms);
      return world.network.requests.length;
    };
    expect([await sentAfter(499), await sentAfter(1), await sentAfter(999), await sentAfter(1)]).toEqual([
      1, 2, 2, 3,
    ]);
    expect(await loading).toEqual({ kind: 'failed', kept: links });
  });

  test('gives each try 10 s', async () => {
    const world = createFakeWorld();
    world.network.portal.set('/json/link.json', { body: links, delayMs: 9_999 });
    const loading = loadLinks(signal, world, { onKept: () => undefined });
    await world.clock.advance(9_999);
    expect(await loading).toEqual({ kind: 'loaded', links });
    world.network.portal.set('/json/link.json', { isHanging: true });
    const failing = loadLinks(signal, world, { onKept: () => undefined });
    await world.clock.advance(9_999);
    expect(world.network.requests.at(-1)?.state).toBe('open');
    await world.clock.advance(1);
    expect(world.network.requests.at(-1)?.state).toBe('aborted');
    await world.clock.advance(30_000);
    expect(await failing).toEqual({ kind: 'failed', kept: links });
    expect(world.clock.openTimers()).toBe(0);
  });

  test('waits for the preload once: every later try is a request that no cache can hold back', async () => {
    const world = createFakeWorld();
    world.network.portal.set('/json/link.json', { isHanging: true });
    for (const isAgain of [false, true]) {
      void loadLinks(signal, world, { onKept: () => undefined, isAgain });
      await world.clock.advance(60_000);
    }
    expect(world.network.requests.map(({ init }) => init.cache)).toEqual([
      'default',
      ...Array<string>(5).fill('no-store'),
    ]);
  });

  test('hands out the last good config after 3 s, and the new one when it comes', async () => {
    const world = createFakeWorld();
    world.store.set(LAST_LINKS_KEY, JSON.stringify({ ub: 'https://last.example/' }));
    world.network.portal.set('/json/link.json', { body: links, delayMs: 6_000 });
    const kept: unknown[] = [];
    const loading = loadLinks(signal, world, { onKept: (last) => kept.push(last) });
    await world.clock.advance(2_999);
    expect(kept).toEqual([]);
    await world.clock.advance(1);
    expect(kept).toEqual([{ ub: 'https://last.example/' }]);
    await world.clock.advance(3_000);
    expect(await loading).toEqual({ kind: 'loaded', links });
  });

  test('does not hand out the last good config where the new one is in time', async () => {
    const world = createFakeWorld();
    world.store.set(LAST_LINKS_KEY, JSON.stringify(links));
    world.network.portal.set('/json/link.json', { body: links, delayMs: 2_999 });
    const loading = loadLinks(signal, world, { onKept: () => expect.fail('handed out') });
    await world.clock.advance(60_000);
    expect(await loading).toEqual({ kind: 'loaded', links });
    expect(world.clock.openTimers()).toBe(0);
  });

  test.each([
    ['a script as a link', JSON.stringify({ ...links, wallet: 'javascript:alert(1)' }), links],
    ['nothing but scripts', JSON.stringify({ ub: 'javascript:alert(1)', service: 'data:text/html,x' }), {}],
    ['no object', '["https://ub.example/"]', undefined],
    ['no JSON', '{', undefined],
  ])('checks what the browser has kept like what is loaded: %s', async (_, stored, expected) => {
    const world = createFakeWorld();
    world.store.set(LAST_LINKS_KEY, stored);
    world.network.portal.set('/json/link.json', { isDown: true });
    const kept: unknown[] = [];
    const loading = loadLinks(signal, world, { onKept: (last) => kept.push(last) });
    await world.clock.advance(10_000);
    expect(await loading).toEqual({ kind: 'failed', kept: expected });
    expect(kept).toEqual([]);
  });

  test('says so where it has never loaded', async () => {
    const world = createFakeWorld();
    const loading = loadLinks(signal, world, { onKept: () => undefined });
    await world.clock.advance(10_000);
    expect(await loading).toEqual({ kind: 'failed', kept: undefined });
  });

  test('loads at the second try, and keeps the config for the next visit', async () => {
    const world = createFakeWorld();
    world.network.portal.set('/json/link.json', { isDown: true });
    const loading = loadLinks(signal, world, { onKept: () => undefined });
    await world.clock.advance(100);
    world.network.portal.set('/json/link.json', { body: links });
    await world.clock.advance(500);
    expect(await loading).toEqual({ kind: 'loaded', links });
    expect(world.store.get(LAST_LINKS_KEY)).toBe(JSON.stringify(links));
  });
});

describe('the storage, whose first use waits for the disk,', () => {
  function openWatched() {
    const world = createFakeWorld();
    world.network.portal.set('/json/link.json', { body: {}, delayMs: 2_000 });
    const used: string[] = [];
    const store: FakeWorld['store'] = {
      get: (key) => void used.push(key),
      set: (key) => void used.push(key),
      remove: (key) => void used.push(key),
    };
    return { world: { ...world, store }, used };
  }

  test('is not used by loadLinks before the links are there', async () => {
    const { world, used } = openWatched();
    const usedAtLoad = loadLinks(signal, world, { onKept: () => undefined }).then(() => [...used]);
    await world.clock.advance(2_000);
    expect(await usedAtLoad).toEqual([]);
  });

  test('is not used by waitForLinks where these are there in time', async () => {
    const { world, used } = openWatched();
    const race = new AbortController();
    const waiting = waitForLinks(race.signal, world);
    await world.clock.advance(2_000);
    await waiting;
    race.abort();
    await world.clock.settle();
    expect(used).toEqual([]);
  });
});

describe('waitForLinks', () => {
  const settle = (kept?: string) => {
    const world = createFakeWorld();
    if (kept) world.store.set(LAST_LINKS_KEY, kept);
    let isSettled = false;
    const isSettledAfter = async (ms: number) => {
      await world.clock.advance(ms);
      return isSettled;
    };
    const start = () => void waitForLinks(signal, world).then(() => (isSettled = true));
    return { world, start, isSettledAfter };
  };

  test.each([
    ['loaded', { body: {}, delayMs: 500 }],
    ['failed', { isDown: true, delayMs: 500 }],
  ])('is over when the config has %s', async (_, answer) => {
    const { world, start, isSettledAfter } = settle();
    world.network.portal.set('/json/link.json', answer);
    start();
    expect([await isSettledAfter(499), await isSettledAfter(1)]).toEqual([false, true]);
  });

  test('is over after 10 s, or after 3 s where the browser has kept a config', async () => {
    for (const [kept, limitMs] of [
      [undefined, 10_000] as const,
      ['{"ub":"https://ub.example/"}', 3_000] as const,
    ]) {
      const { world, start, isSettledAfter } = settle(kept);
      world.network.portal.set('/json/link.json', { isHanging: true });
      start();
      expect([await isSettledAfter(limitMs - 1), await isSettledAfter(1)]).toEqual([false, true]);
    }
  });
});
