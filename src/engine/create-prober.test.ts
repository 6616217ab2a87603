import { describe, expect, test } from 'vitest';
import { createFakeWorld } from './testing/create-fake-world.ts';

const { signal } = new AbortController();

describe('createProber', () => {
  test('draws the address of a host once and keeps it', () => {
    let drawn = 0;
    const world = createFakeWorld(() => (drawn += 0.1) % 1);
    const prober = world.createProber();
    const line = prober.lineOf('line1.example');
    expect(line).toEqual({ host: 'line1.example', address: 'https://www20000.line1.example:9900' });
    expect(prober.lineOf('line1.example')).toEqual(line);
    expect(drawn).toBeCloseTo(0.1);
  });

  test('takes the address of a fresh result from the page before, so that the result can be used', async () => {
    const world = createFakeWorld();
    const before = world.createProber();
    await Promise.all([
      before.probe({ host: 'a.example', address: 'https://old.a.example' }, signal).result,
      world.clock.advance(5),
    ]);
    const now = world.createProber();
    const line = now.lineOf('a.example');
    expect(line?.address).toBe('https://old.a.example');
    expect(line && (await now.probe(line, signal).result)).toMatchObject({ host: 'a.example', time: 1 });
    expect(world.network.requests).toHaveLength(1);
  });

  test('drops a host that is refused, and says why', () => {
    const world = createFakeWorld();
    expect(world.createProber().lineOf('javascript:alert(1)')).toBeUndefined();
    expect(world.refused).toEqual([
      { host: 'javascript:alert(1)', reason: 'is not of the form [scheme://]host[:port]' },
    ]);
  });

  test('sends one request for askers at the same time', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { delayMs: 50 });
    const prober = world.createProber();
    const line = { host: 'a.example', address: 'https://a.example' };
    const probes = [prober.probe(line, signal), prober.probe(line, signal)];
    await world.clock.advance(60);
    expect(await Promise.all(probes.map(({ result }) => result))).toEqual([
      { host: 'a.example', time: 50 },
      { host: 'a.example', time: 50 },
    ]);
    expect(world.network.requests).toHaveLength(1);
  });

  test('aborts a shared request only when its last asker has left', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { isHanging: true });
    const prober = world.createProber();
    const line = { host: 'a.example', address: 'https://a.example' };
    const [first, second] = [new AbortController(), new AbortController()];
    prober.probe(line, first.signal);
    const { result } = prober.probe(line, second.signal);
    first.abort();
    await world.clock.settle();
    expect(world.network.requests[0]?.state).toBe('open');
    second.abort();
    expect(await result).toBeUndefined();
    expect(world.network.requests[0]?.state).toBe('aborted');
  });

  test('starts anew after an abort, instead of sharing the aborted request', async () => {
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
    expect(await prober.probe(line, signal).isValid).toBe(true);
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
    expect(await result).toMatchObject({ time: 100 });
    prober.probe(line, signal);
    expect(world.network.requests).toHaveLength(2);
  });
});
