import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFakeClock } from '../../engine/testing/create-fake-clock.ts';
import { callServer } from './call-server.ts';
import { createViewLoader } from './create-view-loader.ts';

afterEach(() => vi.unstubAllGlobals());

type Call = {
  readonly signal: AbortSignal;
  readonly answer: (data: string) => void;
  readonly fail: () => void;
};

function open() {
  const clock = createFakeClock();
  const calls: Call[] = [];
  const shown: string[] = [];
  const loader = createViewLoader<string>({
    ...clock,
    load: (signal) =>
      new Promise((settle) => {
        const fail = (): void => settle({ kind: 'lost' });
        calls.push({ signal, answer: (data) => settle({ kind: 'done', data }), fail });
        signal.addEventListener('abort', fail);
      }),
    onData: (data) => shown.push(data),
    onFailure: () => shown.push('failed'),
  });
  loader.refresh();
  return { clock, calls, shown, loader };
}

describe('the loader of a view', () => {
  test('loads again 5 s after each failure, until it has the data', async () => {
    const { clock, calls, shown } = open();
    calls[0]?.fail();
    await clock.advance(4_999);
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    calls[1]?.fail();
    await clock.advance(5_000);
    calls[2]?.answer('data');
    await clock.advance(60_000);
    expect(shown).toEqual(['failed', 'failed', 'data']);
    expect(calls).toHaveLength(3);
  });

  test.each([
    { status: 401, loads: 1 },
    { status: 403, loads: 1 },
    { status: 404, loads: 1 },
    { status: 429, loads: 3 },
    { status: 503, loads: 3 },
  ])(
    'after an answer $status, it has loaded $loads times in 10 s, and loads a new version',
    async (answer) => {
      const ask = vi.fn<typeof fetch>(() =>
        Promise.resolve(Response.json({ error: { code: 'internal', message: '' } }, answer)),
      );
      vi.stubGlobal('fetch', ask);
      const clock = createFakeClock();
      const shown: unknown[] = [];
      const loader = createViewLoader({
        ...clock,
        load: (signal) => callServer('/x', { init: { signal } }),
        onData: (data) => shown.push(data),
        onFailure: () => undefined,
      });
      loader.refresh();
      await clock.advance(5_000);
      await clock.advance(5_000);
      expect(ask).toHaveBeenCalledTimes(answer.loads);
      ask.mockResolvedValue(Response.json('data'));
      loader.refresh();
      await clock.advance(60_000);
      expect(shown).toEqual(['data']);
    },
  );

  test('does not wait for that where a new version comes first', async () => {
    const { clock, calls, loader } = open();
    calls[0]?.fail();
    await clock.advance(1_000);
    loader.refresh();
    calls[1]?.answer('data');
    await clock.advance(60_000);
    expect(calls).toHaveLength(2);
  });

  test('lets a slow answer come, although newer versions come before it, and then loads once more', async () => {
    const { clock, calls, shown, loader } = open();
    for (let version = 2; version <= 5; version += 1) {
      await clock.advance(1_000);
      loader.refresh();
    }
    expect(calls).toHaveLength(1);
    calls[0]?.answer('old');
    await clock.settle();
    expect(calls).toHaveLength(2);
    calls[1]?.answer('new');
    await clock.settle();
    expect(shown).toEqual(['old', 'new']);
    expect(calls).toHaveLength(2);
  });

  test('gives a load up that has no answer after 30 s, and loads again 5 s later', async () => {
    const { clock, calls, shown } = open();
    await clock.advance(29_999);
    expect(calls[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(shown).toEqual(['failed']);
    await clock.advance(5_000);
    calls[1]?.answer('data');
    await clock.advance(60_000);
    expect(shown).toEqual(['failed', 'data']);
    expect(calls).toHaveLength(2);
  });

  test('loads a version that came meanwhile as soon as it has given a load up', async () => {
    const { clock, calls, shown, loader } = open();
    await clock.advance(29_999);
    loader.refresh();
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    calls[1]?.answer('data');
    await clock.advance(60_000);
    expect(shown).toEqual(['failed', 'data']);
    expect(calls).toHaveLength(2);
  });

  test('ends with its view: nothing is shown, and nothing loads any more', async () => {
    const [loading, waiting] = [open(), open()];
    waiting.calls[0]?.fail();
    await waiting.clock.settle();
    for (const { loader, clock, calls } of [loading, waiting]) {
      loader.end();
      await clock.advance(60_000);
      expect(calls).toHaveLength(1);
    }
    expect(loading.calls[0]?.signal.aborted).toBe(true);
    expect([loading.shown, waiting.shown]).toEqual([[], ['failed']]);
  });
});
