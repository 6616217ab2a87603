import { describe, expect, test } from 'vitest';
import { startRace } from './start-race.ts';
import { createFakeWorld } from '../testing/create-fake-world.ts';

const lines = ['a', 'b', 'c', 'd'].map((host) => ({ host, address: `https://${host}.example` }));
const { signal } = new AbortController();

describe('startRace', () => {
  test('is won by the first valid answer; the others are aborted and awaited', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { delayMs: 90 });
    world.network.lines.set('b.example', { delayMs: 40 });
    world.network.lines.set('c.example', { isHanging: true });
    world.network.lines.set('d.example', { delayMs: 160 });
    const race = startRace(world.createProber(), signal);
    const over = race.add(lines);
    await world.clock.advance(40);
    await over;
    expect(race.winner()?.host).toBe('b');
    expect(race.signal.aborted).toBe(true);
    expect(world.network.requests.map(({ state }) => state)).toEqual([
      'aborted',
      'answered',
      'aborted',
      'aborted',
    ]);
    expect(world.clock.openTimers()).toBe(0);
  });

  test('is never won by another server, however fast', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { headers: { server: 'evil' } });
    world.network.lines.set('b.example', { delayMs: 500 });
    const race = startRace(world.createProber(), signal);
    const over = race.add(lines.slice(0, 2));
    await world.clock.advance(500);
    await over;
    expect(race.winner()?.host).toBe('b');
  });

  test('has no winner when all have failed', async () => {
    const world = createFakeWorld();
    for (const { host } of lines) world.network.lines.set(`${host}.example`, { isDown: true });
    const race = startRace(world.createProber(), signal);
    const over = race.add(lines);
    await world.clock.advance(10);
    await over;
    expect(race.winner()).toBeUndefined();
    expect(race.signal.aborted).toBe(false);
  });

  test('lets a second batch join, and win', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { isHanging: true });
    world.network.lines.set('b.example', { delayMs: 30 });
    const race = startRace(world.createProber(), signal);
    const first = race.add(lines.slice(0, 1));
    await world.clock.advance(1_500);
    const second = race.add(lines.slice(0, 2));
    await world.clock.advance(30);
    await Promise.all([first, second]);
    expect(race.winner()?.host).toBe('b');
    expect(world.network.sent('a.example')).toHaveLength(1);
    expect(world.network.openRequests()).toBe(0);
  });

  test('called off from outside, it ends at once without a winner', async () => {
    const world = createFakeWorld();
    const controller = new AbortController();
    const race = startRace(world.createProber(), controller.signal);
    const over = race.add(lines);
    controller.abort();
    await over;
    await race.add(lines);
    expect(race.winner()).toBeUndefined();
    expect(world.network.requests.map(({ state }) => state)).toEqual(lines.map(() => 'aborted'));
  });

  test('the winner’s result is kept for the next 10 s', async () => {
    const world = createFakeWorld();
    const first = startRace(world.createProber(), signal).add(lines.slice(0, 1));
    await world.clock.advance(20);
    await first;
    await world.clock.settle();
    const again = startRace(world.createProber(), signal);
    await again.add(lines.slice(0, 1));
    expect(again.winner()?.host).toBe('a');
    expect(world.network.requests).toHaveLength(1);
  });

  test('between lines that were measured just now, the fastest wins, and nobody is asked again', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { isDown: true });
    world.network.lines.set('b.example', { delayMs: 90 });
    world.network.lines.set('c.example', { delayMs: 40 });
    const before = world.createProber();
    const measured = lines.slice(0, 3).map((line) => before.probe(line, signal).result);
    await world.clock.advance(90);
    await Promise.all(measured);
    const race = startRace(world.createProber(), signal);
    await race.add(lines);
    expect(race.winner()?.host).toBe('c');
    expect(world.network.requests).toHaveLength(3);
  });
});
