import { describe, expect, test } from 'vitest';
import { findTarget, type FoundTarget } from './find-target.ts';
import { createFakeWorld, type FakeWorld } from '../testing/create-fake-world.ts';

function start(
  world: FakeWorld,
  file: unknown,
  linksSettled: Promise<unknown> = Promise.resolve(),
): Promise<FoundTarget> {
  world.network.portal.set('/json/urls/app.json', { body: file });
  const { signal } = new AbortController();
  return findTarget('app', {
    ...world,
    prober: world.createProber(),
    askLinks: () => linksSettled,
    signal,
    onRefused: (host, reason) => world.refused.push({ host, reason }),
  });
}

describe('findTarget', () => {
  test('finds the fastest address, which gets a scheme and nothing else', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { delayMs: 80 });
    const found = start(world, { one: 'a.example', two: 'b.example:8080' });
    await world.clock.advance(10);
    expect(await found).toEqual({ kind: 'found', address: 'https://b.example:8080', isProven: true });
  });

  test('races four, and more only after those have failed', async () => {
    const world = createFakeWorld();
    const hosts = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [n, `n${n}.example`]));
    for (const n of [1, 2, 3, 4])
      world.network.lines.set(`n${n}.example`, { isDown: true, delayMs: 100 * n });
    const found = start(world, hosts);
    await world.clock.advance(399);
    expect(world.network.sent('/speed.php')).toHaveLength(4);
    await world.clock.advance(2);
    expect(await found).toEqual({ kind: 'found', address: 'https://n5.example', isProven: true });
  });

  test('sends no probe before the links config has settled', async () => {
    const world = createFakeWorld();
    let settle: () => void = () => undefined;
    const found = start(world, { one: 'a.example' }, new Promise<void>((resolve) => (settle = resolve)));
    await world.clock.advance(4_000);
    expect(world.network.requests.map(({ url }) => url)).toEqual(['/json/urls/app.json']);
    settle();
    await world.clock.advance(1);
    expect(await found).toMatchObject({ kind: 'found', address: 'https://a.example' });
  });

  test('uses the first address where none answers', async () => {
    const world = createFakeWorld();
    world.network.lines.set('.example', { isHanging: true });
    const found = start(world, { one: 'a.example', two: 'b.example' });
    await world.clock.advance(5_000);
    expect(await found).toEqual({ kind: 'found', address: 'https://a.example', isProven: false });
  });

  test('uses no address where another server answers, if one of the others may only be blocked', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { headers: { server: 'nginx' } });
    world.network.lines.set('b.example', { isDown: true });
    const hosts = { one: 'a.example', two: 'https://a.example', three: 'b.example' };
    for (const toggle of ['show', 'hide'] as const) {
      world.visibility[toggle]();
      const found = start(world, hosts);
      await world.clock.advance(1);
      expect(await found).toEqual({ kind: 'found', address: 'https://b.example', isProven: false });
      // The results of the first visit are too old for the second.
      await world.clock.advance(10_000);
    }
  });

  test('says so if another server answers at every address', async () => {
    const world = createFakeWorld();
    world.network.lines.set('.example', { headers: { server: 'nginx' } });
    const found = start(world, { one: 'a.example', two: 'b.example' });
    await world.clock.advance(1);
    expect(await found).toEqual({ kind: 'wrong-server', address: 'https://a.example' });
    // The second visit has the results of the first.
    const again = start(world, { one: 'b.example' });
    await world.clock.advance(1);
    expect(await again).toEqual({ kind: 'wrong-server', address: 'https://b.example' });
  });

  test('drops addresses that are no plain web host, even as the first', async () => {
    const world = createFakeWorld();
    world.network.lines.set('.example', { isDown: true });
    const found = start(world, { one: 'javascript:alert(1)', two: 'b.example' });
    await world.clock.advance(1);
    expect(await found).toEqual({ kind: 'found', address: 'https://b.example', isProven: false });
    expect(world.refused.map(({ host }) => host)).toEqual(['javascript:alert(1)']);
  });

  test('drops a value that is no text, and keeps the others', async () => {
    const world = createFakeWorld();
    const found = start(world, { one: 7, two: 'b.example', three: null });
    await world.clock.advance(1);
    expect(await found).toMatchObject({ kind: 'found', address: 'https://b.example' });
    expect(world.refused).toEqual([
      { host: 7, reason: 'is not a text' },
      { host: null, reason: 'is not a text' },
    ]);
  });

  test.each([[[1]], [{}], [{ one: 'javascript:alert(1)' }], ['x'], [null]])(
    'fails on the file %j',
    async (file) => {
      const world = createFakeWorld();
      const found = start(world, file);
      await world.clock.advance(1);
      expect(await found).toEqual({ kind: 'failed' });
    },
  );

  test('keeps the results of target addresses apart from those of line hosts', async () => {
    const world = createFakeWorld();
    const found = start(world, { one: 'a.example' });
    await world.clock.advance(1);
    await found;
    expect(world.createProber().lineOf({ host: 'a.example' })?.address).toBe(
      'https://www20000.a.example:9900',
    );
  });
});
