import { describe, expect, test } from 'vitest';
import { SESSION_KEY } from '../../../contract/page/storage-keys.ts';
import { createFakeClock } from '../../../engine/testing/create-fake-clock.ts';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { createSessionKeeper } from './create-session-keeper.ts';
import { followSessions } from './follow-sessions.ts';

function open(sessionPercent = 100) {
  const clock = createFakeClock();
  const store = createMemoryStore();
  let ids = 0;
  const keeper = createSessionKeeper({
    now: clock.now,
    random: () => 0.5,
    createId: () => `session${(ids += 1)}`,
    store,
    sessionPercent,
    replayPercent: 20,
  });
  const seen: string[] = [];
  const follower = followSessions({
    keeper,
    now: clock.now,
    setTimer: clock.setTimer,
    monitor({ id }) {
      seen.push(`begin ${id}`);
      return {
        flush: () => seen.push(`flush ${id}`),
        resume: () => seen.push(`resume ${id}`),
        end: () => seen.push(`end ${id}`),
        discard: () => seen.push(`discard ${id}`),
      };
    },
  });
  return { clock, store, keeper, follower, seen };
}

describe('followSessions', () => {
  test('ends a session after 15 idle minutes by itself, and starts the next with the next activity', async () => {
    const { clock, follower, seen } = open();
    await clock.advance(900_000);
    expect(seen).toEqual(['begin session1', 'end session1']);
    await clock.advance(60_000);
    follower.flush();
    expect(seen).toHaveLength(2);
    follower.noteActivity();
    expect(seen).toEqual(['begin session1', 'end session1', 'begin session2']);
  });

  test('goes on while the visitor is active, for 4 hours', async () => {
    const { clock, follower, seen } = open();
    for (let elapsed = 0; elapsed < 14_400_000; elapsed += 600_000) {
      expect(seen).toEqual(['begin session1']);
      follower.noteActivity();
      await clock.advance(600_000);
    }
    expect(seen).toEqual(['begin session1', 'end session1']);
  });

  test('goes on while another tab is active', async () => {
    const { clock, keeper, seen } = open();
    await clock.advance(900_000 - 1);
    keeper.extend('session1');
    await clock.advance(900_000 - 1);
    expect(seen).toEqual(['begin session1']);
    await clock.advance(1);
    expect(seen).toEqual(['begin session1', 'end session1']);
  });

  test('writes a burst of activity down once', async () => {
    const { clock, store, follower } = open();
    const writes = new Set<unknown>();
    for (let elapsed = 0; elapsed < 5_000; elapsed += 50) {
      await clock.advance(50);
      follower.noteActivity();
      writes.add(store.get(SESSION_KEY));
    }
    expect(writes.size).toBe(2);
  });

  test('keeps a session that is not sampled, and monitors nothing of it', async () => {
    const { clock, follower, store, seen } = open(0);
    follower.noteActivity();
    follower.flush();
    await clock.advance(900_000);
    expect(seen).toEqual([]);
    expect(store.get(SESSION_KEY)).toContain('"isSampled":false');
  });

  test('forgets everything when it is discarded', () => {
    const { clock, follower, store, seen } = open();
    follower.discard();
    follower.flush();
    follower.noteActivity();
    expect(seen).toEqual(['begin session1', 'discard session1']);
    expect(store.get(SESSION_KEY)).toBeNull();
    expect(clock.openTimers()).toBe(0);
  });
});
