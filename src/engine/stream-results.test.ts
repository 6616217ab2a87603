import { describe, expect, test } from 'vitest';
import { streamResults } from './stream-results.ts';
import { createFakeWorld } from './testing/create-fake-world.ts';

const lines = ['a', 'b', 'c'].map((host) => ({ host, address: `https://${host}.example` }));
const { signal } = new AbortController();

describe('streamResults', () => {
  test('yields each result as it arrives, failures too', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { delayMs: 200 });
    world.network.lines.set('b.example', { isDown: true, delayMs: 90 });
    world.network.lines.set('c.example', { delayMs: 10 });
    const seen: string[] = [];
    const startedAt = world.clock.now();
    const reading = (async () => {
      for await (const { host, time } of streamResults(lines, world.createProber().probe, signal)) {
        seen.push(`${host} ${time} after ${world.clock.now() - startedAt}`);
      }
    })();
    await world.clock.advance(300);
    await reading;
    expect(seen).toEqual(['c 10 after 10', 'b 99999 after 90', 'a 200 after 200']);
  });

  test('aborts and awaits what is open when the reader leaves', async () => {
    const world = createFakeWorld();
    world.network.lines.set('a.example', { isHanging: true });
    const reading = (async () => {
      for await (const result of streamResults(lines, world.createProber().probe, signal)) return result;
      return undefined;
    })();
    await world.clock.advance(10);
    expect(await reading).toMatchObject({ time: 1 });
    expect(world.network.openRequests()).toBe(0);
    expect(world.clock.openTimers()).toBe(0);
  });

  test('ends without a word when it is called off', async () => {
    const world = createFakeWorld();
    const controller = new AbortController();
    const stream = streamResults(lines, world.createProber().probe, controller.signal);
    const next = stream.next();
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
