import { describe, expect, test } from 'vitest';
import { createFakeWorld } from '../testing/create-fake-world.ts';

const { signal } = new AbortController();

describe('createProber', () => {
  test('draws the address of a host once and keeps it', () => {
    let drawn = 0;
    const world = createFakeWorld(() => (drawn += 0.1) % 1);
    const prober = world.createProber();
    const line = prober.lineOf({ host: 'line1.example' });
    expect(line).toMatchObject({ host: 'line1.example', address: 'https://www20000.line1.example:9900' });
    expect(prober.lineOf({ host: 'line1.example' })).toBe(line);
  });

  test('takes the address of a fresh result from the page before, so that the result can be used', async () => {
    const world = createFakeWorld();
    const before = world.createProber();
    await Promise.all([
      before.probe({ host: 'a.example', address: 'https://old.a.example' }, signal).result,
      world.clock.advance(5),
    ]);
    const now = world.createProber();
    const line = now.lineOf({ host: 'a.example' });
    expect(line?.address).toBe('https://old.a.example');
    expect(line && (await now.probe(line, signal).result)).toMatchObject({ host: 'a.example', time: 1 });
    expect(world.network.requests).toHaveLength(1);
  });

  test('drops a host that is refused, and says why', () => {
    const world = createFakeWorld();
    expect(world.createProber().lineOf({ host: 'javascript:alert(1)' })).toBeUndefined();
    expect(world.refused).toEqual([{ host: 'javascript:alert(1)', reason: 'is no plain host' }]);
  });

  test('starts anew after an abort', async () => {
    const world = createFakeWorld();
    const prober = world.createProber();
    const line = { host: 'a.example', address: 'https://a.example' };
    const controller = new AbortController();
    prober.probe(line, controller.signal);
    controller.abort();
    const { result } = prober.probe(line, signal);
    await world.clock.advance(5);
    expect(await result).toEqual({ host: 'a.example', time: 1 });
    expect(world.network.requests.map(({ state }) => state)).toEqual(['aborted', 'answered']);
  });

  test('answers a second asker within 10 s without a request, and a later one with a new one', async () => {
    const world = createFakeWorld();
    const prober = world.createProber();
    const line = { host: 'a.example', address: 'https://a.example' };
    prober.probe(line, signal);
    await world.clock.advance(5_000);
    expect(await prober.probe(line, signal).verdict).toBe(1);
    expect(world.network.requests).toHaveLength(1);
    await world.clock.advance(5_001);
    prober.probe(line, signal);
    expect(world.network.requests).toHaveLength(2);
  });

  test('does not keep the late answer of a probe that left before the results were cleared', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { delayMs: 100 });
    const prober = world.createProber();
    const line = { host: 'a.example', address: 'https://a.example' };
    const { result } = prober.probe(line, signal);
    prober.clear();
    await world.clock.advance(200);
    expect(await result).toBeUndefined();
    prober.probe(line, signal);
    expect(world.network.requests).toHaveLength(2);
  });

  test('does not tell the next page that nobody answers, where it has not asked', async () => {
    for (const asks of [false, true]) {
      const world = createFakeWorld();
      world.network.lines.set('a.example', { isDown: true });
      const prober = world.createProber(asks ? { askAnybody: world.createQuestion() } : {});
      const { result } = prober.probe({ host: 'a.example', address: 'https://a.example' }, signal);
      await world.clock.advance(50);
      expect(await result).toMatchObject({ cause: 'unreachable' });
      expect(world.createProber().cache.get('a.example')?.cause).toBe(asks ? 'unreachable' : undefined);
    }
  });

  test('knows a host however it is written', () => {
    const prober = createFakeWorld().createProber();
    const line = prober.lineOf({ host: 'a.example' });
    for (const host of ['A.example', 'https://a.example', 'HTTPS://A.EXAMPLE'])
      expect(prober.lineOf({ host, noWWW: true })).toBe(line);
    for (const host of ['http://a.example', 'a.example:443', 'b.example'])
      expect(prober.lineOf({ host })).not.toBe(line);
  });

  test.each([
    ['began', ['hide', 'probe', 'show']],
    ['ended', ['probe', 'hide']],
    ['went on for a while', ['probe', 'hide', 'show']],
  ] as const)('keeps and reports no time of a probe that %s unseen, but its verdict', async (_, events) => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { delayMs: 50 });
    const prober = world.createProber();
    const line = { host: 'a.example', address: 'https://a.example' };
    let probe: ReturnType<typeof prober.probe> | undefined;
    for (const event of events) {
      if (event === 'probe') probe = prober.probe(line, signal);
      else world.visibility[event]();
      await world.clock.advance(10);
    }
    await world.clock.advance(50);
    expect(await probe?.verdict).toBe(50);
    expect(await probe?.result).toBeUndefined();
    expect(prober.cache.get('a.example')).toBeUndefined();
  });

  test('tells of no probe that leaves unseen', () => {
    const noted: string[] = [];
    const world = createFakeWorld();
    const prober = world.createProber({ onProbe: (host) => noted.push(host) });
    prober.probe({ host: 'a.example', address: 'https://a.example' }, signal);
    world.visibility.hide();
    prober.probe({ host: 'b.example', address: 'https://b.example' }, signal);
    expect(noted).toEqual(['a.example']);
  });
});
