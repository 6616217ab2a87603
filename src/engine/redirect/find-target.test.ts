import { describe, expect, test } from 'vitest';
import { findTarget, type FoundTarget } from './find-target.ts';
import type { FakeAnswer } from '../testing/create-fake-network.ts';
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
    prober: world.createProber({ askAnybody: world.createQuestion() }),
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
    expect(await found).toEqual({
      kind: 'found',
      address: 'https://b.example:8080',
      proof: { timeMs: 1, of: 2 },
    });
  });

  test('races four, and more only after those have failed', async () => {
    const world = createFakeWorld();
    const hosts = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [n, `n${n}.example`]));
    for (const n of [1, 2, 3, 4])
      world.network.lines.set(`n${n}.example`, { isDown: true, delayMs: 100 * n });
    const found = start(world, hosts);
    await world.clock.advance(799);
    expect(world.network.sent('n5.example')).toHaveLength(0);
    await world.clock.advance(52);
    expect(await found).toEqual({
      kind: 'found',
      address: 'https://n5.example',
      proof: { timeMs: 1, of: 5 },
    });
  });

  test('says no time of a page that was hidden, and none but what was measured', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { delayMs: 80 });
    world.visibility.hide();
    const hidden = start(world, { one: 'a.example' });
    await world.clock.advance(100);
    expect(await hidden).toEqual({
      kind: 'found',
      address: 'https://a.example',
      proof: { timeMs: undefined, of: 1 },
    });
    world.visibility.show();
    const seen = start(world, { one: 'a.example' });
    await world.clock.advance(100);
    expect(await seen).toMatchObject({ proof: { timeMs: 80, of: 1 } });
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
    expect(await found).toEqual({ kind: 'found', address: 'https://a.example', proof: undefined });
  });

  const ours: FakeAnswer = {};
  const dead: FakeAnswer = { isDown: true };
  const stalled: FakeAnswer = { isHanging: true };
  const other: FakeAnswer = { headers: { server: 'nginx' } };
  const unreadable: FakeAnswer = { isUnreadable: true };
  const [a, b, c] = ['https://a.example', 'https://b.example', 'https://c.example'] as const;
  const warning = (instead: string | undefined): FoundTarget => ({
    kind: 'wrong-server',
    address: a,
    other: instead,
  });
  const unproven: FoundTarget = { kind: 'found', address: a, proof: undefined };
  const proven = (address: string, of: number): FoundTarget => ({
    kind: 'found',
    address,
    // Seen first, then hidden.
    proof: expect.objectContaining({ of }),
  });

  test.each<[string, readonly FakeAnswer[], FoundTarget]>([
    ['another marker, dead', [other, dead], warning(b)],
    ['another marker, unreadable', [other, unreadable], warning(undefined)],
    ['unreadable, another marker, timed out', [unreadable, other, stalled], warning(c)],
    ['unreadable, dead, dead', [unreadable, dead, dead], warning(b)],
    ['all unreadable', [unreadable, unreadable], warning(undefined)],
    ['dead, unreadable', [dead, unreadable], unproven],
    ['timed out, another marker', [stalled, other], unproven],
    ['unreadable, ours', [unreadable, ours], proven(b, 2)],
    ['ours, unreadable', [ours, unreadable], proven(a, 2)],
  ])('knows what to do with these addresses, seen or hidden: %s', async (_, answers, expected) => {
    const world = createFakeWorld();
    const hosts = answers.map((answer, index) => {
      const host = `${'abc'[index]}.example`;
      world.network.lines.set(host, answer);
      return host;
    });
    for (const toggle of ['show', 'hide'] as const) {
      world.visibility[toggle]();
      const found = start(world, Object.fromEntries(hosts.entries()));
      await world.clock.advance(5_000);
      expect(await found).toEqual(expected);
      // The results of the first visit are too old for the second.
      await world.clock.advance(10_000);
    }
  });

  test('does not take the same address twice for two', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', other);
    const found = start(world, { one: 'a.example', two: 'https://a.example' });
    await world.clock.advance(1);
    expect(await found).toEqual(warning(undefined));
    // The second visit has the results of the first.
    const again = start(world, { one: 'https://a.example' });
    await world.clock.advance(1);
    expect(await again).toEqual(warning(undefined));
  });

  test('drops addresses that are no plain web host, even as the first', async () => {
    const world = createFakeWorld();
    world.network.lines.set('.example', { isDown: true });
    const found = start(world, { one: 'javascript:alert(1)', two: 'b.example' });
    await world.clock.advance(50);
    expect(await found).toEqual({ kind: 'found', address: 'https://b.example', proof: undefined });
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
