import { describe, expect, test } from 'vitest';
import type { WatchTiming } from '../effects/effects.ts';
import { probeLine, type Probe } from './probe-line.ts';
import type { FakeAnswer } from '../testing/create-fake-network.ts';
import { MARKER } from '../testing/create-fake-network.ts';
import { createFakeWorld, type FakeWorld } from '../testing/create-fake-world.ts';

const line = { host: 'line1.example', address: 'https://line1.example:9900' };

function startProbe(
  world: FakeWorld,
  signal = new AbortController().signal,
  watchTiming?: WatchTiming,
): Probe {
  const settings = { ...world, marker: MARKER, markerHeader: 'server' };
  return probeLine(line, watchTiming ? { ...settings, watchTiming } : settings, signal);
}

async function probe(answer: FakeAnswer): Promise<{ verdict: unknown; result: unknown; world: FakeWorld }> {
  const world = createFakeWorld();
  world.network.lines.set('line1', answer);
  const { verdict, result } = startProbe(world);
  await world.clock.advance(6_000);
  return { verdict: await verdict, result: await result, world };
}

describe('probeLine', () => {
  test('sends a simple request that nothing caches, follows or refers', async () => {
    const { world } = await probe({});
    const [request] = world.network.requests;
    expect(request?.url).toBe('https://line1.example:9900/speed.php');
    expect(request?.init).toMatchObject({
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
    expect(request?.init.method ?? 'GET').toBe('GET');
    expect(request?.init.headers).toBeUndefined();
  });

  test('takes the time from leaving to headers', async () => {
    expect(await probe({ delayMs: 38 })).toMatchObject({
      verdict: 38,
      result: { host: 'line1.example', time: 38 },
    });
  });

  test('waits for an answer until 5 s have gone by', async () => {
    expect(await probe({ delayMs: 4_999 })).toMatchObject({ verdict: 4_999, result: { time: 4_999 } });
  });

  test('never says zero, which means "not measured"', async () => {
    expect(await probe({ delayMs: 0 })).toMatchObject({ result: { time: 1 } });
  });

  test.each<[string, FakeAnswer, string]>([
    ['no answer within 5 s', { isHanging: true }, 'timeout'],
    ['an answer after 5 s', { delayMs: 5_001 }, 'timeout'],
    ['a connection that fails', { isDown: true }, 'unreachable'],
    ['another server', { headers: { server: 'nginx' } }, 'wrong-server'],
    ['a longer marker', { headers: { server: `${MARKER}-2` } }, 'wrong-server'],
    ['the marker in capitals', { headers: { server: MARKER.toUpperCase() } }, 'wrong-server'],
    ['no identification', { headers: {} }, 'wrong-server'],
    ['the marker with a status of 404', { status: 404 }, 'wrong-server'],
    ['the marker with a status of 500', { status: 500 }, 'wrong-server'],
  ])('fails on %s, with the cause', async (_, answer, cause) => {
    const { verdict, result } = await probe(answer);
    expect(verdict).toBe(cause);
    expect(result).toEqual({ host: 'line1.example', time: 99_999, cause });
  });

  test('reads the marker from the header that the site names', async () => {
    const world = createFakeWorld();
    world.network.lines.set('line1', { headers: { 'x-line': MARKER } });
    const settings = { ...world, marker: MARKER, markerHeader: 'x-line' };
    const { verdict } = probeLine(line, settings, new AbortController().signal);
    await world.clock.advance(1);
    expect(await verdict).toBe(0);
  });

  test('really aborts at 5 s', async () => {
    const { world } = await probe({ isHanging: true });
    expect(world.network.requests[0]?.state).toBe('aborted');
  });

  test('leaves no timer behind, however it ends', async () => {
    for (const answer of [{}, { isDown: true }, { isHanging: true }, { status: 500 }]) {
      const { world } = await probe(answer);
      expect(world.clock.openTimers()).toBe(0);
    }
  });

  test('aborted from outside, it ends at once and has no result', async () => {
    const world = createFakeWorld();
    world.network.lines.set('line1', { isHanging: true });
    const controller = new AbortController();
    const { verdict, result } = startProbe(world, controller.signal);
    controller.abort();
    expect(await verdict).toBeUndefined();
    expect(await result).toBeUndefined();
    expect(world.network.requests[0]?.state).toBe('aborted');
    expect(world.clock.openTimers()).toBe(0);
  });

  test('shows the time of the platform where there is one, but decides before', async () => {
    const world = createFakeWorld();
    world.network.lines.set('line1', { delayMs: 80 });
    let tell: (ms: number) => void = () => undefined;
    const told = new Promise<number>((resolve) => (tell = resolve));
    const watched: string[] = [];
    const watchTiming: WatchTiming = (url) => {
      watched.push(url);
      return { read: () => told, stop: () => watched.push('stopped') };
    };
    const { verdict, result } = startProbe(world, undefined, watchTiming);
    await world.clock.advance(100);
    expect(await verdict).toBe(80);
    tell(41.6);
    expect(await result).toEqual({ host: 'line1.example', time: 42 });
    expect(watched).toEqual(['https://line1.example:9900/speed.php', 'stopped']);
  });

  test('cancels a body that it does not need', async () => {
    const world = createFakeWorld();
    let isCancelled = false;
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
    const fetch = () => Promise.resolve(new Response(body, { headers: { server: MARKER } }));
    const settings = { ...world, fetch, marker: MARKER, markerHeader: 'server' };
    const { result } = probeLine(line, settings, new AbortController().signal);
    expect(await result).toMatchObject({ host: 'line1.example' });
    expect(isCancelled).toBe(true);
  });
});
