import { describe, expect, test } from 'vitest';
import { SESSION_KEY } from '../../../contract/page/storage-keys.ts';
import type { KeyValueStore } from '../../../engine/effects/effects.ts';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { createRandom } from '../../../engine/testing/create-random.ts';
import { createSessionKeeper, isDrawn } from './create-session-keeper.ts';

const FORGETFUL: KeyValueStore = { get: () => undefined, set: () => undefined, remove: () => undefined };

function open(store = createMemoryStore(), percents = { sessionPercent: 100, replayPercent: 20 }) {
  let time = 1_800_000_000_000;
  let ids = 0;
  let drawn = 0.1;
  const settings = {
    now: () => time,
    random: () => drawn,
    createId: () => `session${(ids += 1)}`,
    store,
    ...percents,
  };
  return {
    /** A page, or a tab. */
    openPage: () => createSessionKeeper(settings),
    pass: (ms: number) => (time += ms),
    draw: (next: number) => (drawn = next),
  };
}

describe('createSessionKeeper', () => {
  test('decides once, and keeps that for every page of the session', () => {
    const { openPage, draw } = open();
    const first = openPage().join();
    draw(0.9);
    const second = openPage().join();
    expect(first).toMatchObject({ isSampled: true, replay: 'starting', pageViews: 1 });
    expect(second).toEqual({ ...first, pageViews: 2 });
  });

  test('goes on with its own session where the storage is full, and holds one that is over', () => {
    const kept = createMemoryStore();
    const before = open(kept);
    before.openPage().join();
    const { openPage, pass } = open({ ...kept, set: () => undefined });
    pass(900_000);
    const keeper = openPage();
    const { id } = keeper.join();
    expect(keeper.extend(id)).toBe(true);
    expect(keeper.remainingMs(id)).toBe(900_000);
  });

  test('draws no replay for a session that is not sampled', () => {
    const { openPage } = open(createMemoryStore(), { sessionPercent: 0, replayPercent: 100 });
    expect(openPage().join()).toMatchObject({ isSampled: false, replay: 'not-sampled' });
  });

  test('has no replay for the rest of a session whose worker did not start, and says why', () => {
    const { openPage, pass } = open();
    const keeper = openPage();
    const { id } = keeper.join();
    keeper.endReplay(id, 'worker-timeout');
    keeper.extend(id);
    expect(openPage().join()).toMatchObject({ id, replay: 'worker-timeout' });
    pass(900_000);
    openPage().join();
    keeper.endReplay(id, 'worker-timeout');
    expect(openPage().join()).toMatchObject({ id: 'session2', replay: 'starting' });
  });

  test('ends a session that was idle for 15 minutes', () => {
    const { openPage, pass } = open();
    const { id } = openPage().join();
    pass(900_000 - 1);
    expect(openPage().join().id).toBe(id);
    pass(900_000);
    expect(openPage().join()).toMatchObject({ id: 'session2', pageViews: 1 });
  });

  test('ends every session after 4 hours', () => {
    const { openPage, pass } = open();
    const keeper = openPage();
    const { id } = keeper.join();
    const step = 900_000 - 1;
    for (let elapsed = step; elapsed < 14_400_000; elapsed += step) {
      pass(step);
      expect(keeper.extend(id)).toBe(true);
    }
    pass(step);
    expect(keeper.extend(id)).toBe(false);
    expect(keeper.join().id).not.toBe(id);
  });

  test('says how long a session goes on by itself', () => {
    const { openPage, pass } = open();
    const keeper = openPage();
    const { id } = keeper.join();
    pass(1_000);
    expect(keeper.remainingMs(id)).toBe(900_000 - 1_000);
    // Another tab is in use.
    openPage().extend(id);
    expect(keeper.remainingMs(id)).toBe(900_000);
    pass(900_000);
    expect(keeper.remainingMs(id)).toBe(0);
  });

  test('has ended here when another tab has started the next one', () => {
    const { openPage, pass } = open();
    const keeper = openPage();
    const { id } = keeper.join();
    pass(900_000);
    openPage().join();
    expect(keeper.extend(id)).toBe(false);
    expect(keeper.join()).toMatchObject({ id: 'session2', pageViews: 2 });
  });

  test('goes on without storage, a session a page', () => {
    const { openPage } = open(FORGETFUL);
    const keeper = openPage();
    const { id } = keeper.join();
    expect(keeper.extend(id)).toBe(true);
    expect(openPage().join().id).not.toBe(id);
  });

  test.each(['', 'null', '{"id":"x"}', '{"id":1,"startedAt":1,"activeAt":1,"pageViews":1}'])(
    'starts anew over %j, which it did not write',
    (kept) => {
      const store = createMemoryStore();
      store.set(SESSION_KEY, kept);
      expect(open(store).openPage().join()).toMatchObject({ id: 'session1', pageViews: 1 });
    },
  );

  test('starts anew when the clock was set back', () => {
    const { openPage, pass } = open();
    openPage().join();
    pass(-60_000);
    expect(openPage().join().id).toBe('session2');
  });

  test('forgets', () => {
    const store = createMemoryStore();
    const keeper = open(store).openPage();
    const { id } = keeper.join();
    keeper.forget();
    expect(store.get(SESSION_KEY)).toBeNull();
    expect(keeper.remainingMs(id)).toBe(0);
  });
});

describe('isDrawn', () => {
  test('draws 20 % of 100,000, give or take one', () => {
    const random = createRandom(20_261_115);
    const drawn = Array.from({ length: 100_000 }, () => isDrawn(20, random)).filter(Boolean).length;
    expect(drawn).toBeGreaterThanOrEqual(19_000);
    expect(drawn).toBeLessThanOrEqual(21_000);
  });

  test('draws nobody at 0 and everybody at 100', () => {
    expect([0, 0.5, 0.999_999].map((value) => isDrawn(0, () => value))).toEqual([false, false, false]);
    expect([0, 0.5, 0.999_999].map((value) => isDrawn(100, () => value))).toEqual([true, true, true]);
  });
});
