import { describe, expect, test } from 'vitest';
import { LAST_LINKS_KEY } from '../contract/storage-keys.ts';
import { fetchCaller } from './fetch-caller.ts';
import { fetchHostnames } from './fetch-hostnames.ts';
import { fetchTarget } from './fetch-target.ts';
import { loadLinks } from './load-links.ts';
import { createFakeWorld } from './testing/create-fake-world.ts';

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
    expect(hostnames).toEqual({
      kind: 'listed',
      hosts: ['a.example', { host: 'b.example', noWWW: true }],
      ticket: 'ticket-1',
    });
  });

  test.each([
    ['an error status', { status: 500, body: ['a.example'] }],
    ['an object', { body: { hosts: [] } }],
    ['a failure', { isDown: true }],
    ['no answer within 30 s', { isHanging: true }],
  ])('takes %s for an empty list', async (_, answer) => {
    const { hostnames, world } = await ask(answer);
    expect(hostnames).toEqual({ kind: 'listed', hosts: [] });
    expect(world.network.openRequests()).toBe(0);
  });

  test('waits for a list until 30 s have gone by', async () => {
    const { hostnames } = await ask({ body: ['a.example'], delayMs: 29_999 });
    expect(hostnames).toMatchObject({ hosts: ['a.example'] });
  });

  test('tells a restricted region from an empty list', async () => {
    expect((await ask({ status: 451, body: [] })).hostnames).toEqual({ kind: 'restricted' });
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
    ['a list of numbers', { body: [1] }, { kind: 'failed' }],
    ['a missing file', { status: 404, body: {} }, { kind: 'failed' }],
    ['a failure', { isDown: true }, { kind: 'failed' }],
    ['a restricted region', { status: 451, body: {} }, { kind: 'restricted' }],
  ])('reads %s', async (_, answer, expected) => {
    const world = createFakeWorld();
    world.network.portal.set('/json/urls/app.json', answer);
    const asked = fetchTarget('app', signal, world);
    await world.clock.advance(1);
    expect(await asked).toEqual(expected);
  });
});

describe('loadLinks', () => {
  const links = { ub: 'https://ub.example/', service: 'mailto:help@example.com' };

  test('keeps the usable links and leaves the bad ones out', async () => {
    const world = createFakeWorld();
    world.network.portal.set('/json/link.json', {
      body: { ...links, esb: 'javascript:alert(1)', wallet: 7 },
    });
    const loading = loadLinks(signal, world);
    await world.clock.advance(1);
    expect(await loading).toEqual({ kind: 'loaded', links });
  });

  test('tries three times, waiting longer each time, then falls back to the last good config', async () => {
    const world = createFakeWorld();
    world.store.set(LAST_LINKS_KEY, JSON.stringify(links));
    world.network.portal.set('/json/link.json', { isDown: true });
    const loading = loadLinks(signal, world);
    const sentAfter = async (ms: number) => {
      await world.clock.advance(ms);
      return world.network.requests.length;
    };
    expect([await sentAfter(499), await sentAfter(1), await sentAfter(999), await sentAfter(1)]).toEqual([
      1, 2, 2, 3,
    ]);
    expect(await loading).toEqual({ kind: 'failed', lastGood: links });
  });

  test('says so where it has never loaded', async () => {
    const world = createFakeWorld();
    const loading = loadLinks(signal, world);
    await world.clock.advance(10_000);
    expect(await loading).toEqual({ kind: 'failed', lastGood: undefined });
  });

  test('loads at the second try, and keeps the config for the next visit', async () => {
    const world = createFakeWorld();
    world.network.portal.set('/json/link.json', { isDown: true });
    const loading = loadLinks(signal, world);
    await world.clock.advance(100);
    world.network.portal.set('/json/link.json', { body: links });
    await world.clock.advance(500);
    expect(await loading).toEqual({ kind: 'loaded', links });
    expect(world.store.get(LAST_LINKS_KEY)).toBe(JSON.stringify(links));
  });
});
