import { expect, test } from 'vitest';
import { keepLineStates } from '../lines/keep-line-states.ts';
import { createLineStateRecall } from './recall-line-states.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A moment is kept a little after the time that it is of. */
const KEPT_AFTER_MS = 20_000;

/** Moments of every five minutes in which line `a` was down between two hours, before noon. */
function createMoments(
  kept: (at: number) => boolean,
  down: { readonly from: number; readonly until: number },
) {
  const read: number[] = [];
  let isAway = false;
  return {
    readTimes: read,
    setAway: (next: boolean) => {
      isAway = next;
    },
    findLast: async (before: number) => {
      if (isAway) throw new Error('the database is away');
      for (let at = NOON; at > NOON - 48 * HOUR_MS; at -= 5 * MINUTE_MS)
        if (at < before && kept(at)) return at;
      return undefined;
    },
    read: async (at: number) => {
      read.push(at);
      const states = Array.from({ length: 60 }, (_, minute) => {
        const time = at - (59 - minute) * MINUTE_MS;
        const isDown = time >= down.from && time < down.until;
        // The running minute is as the line was then: it may become worse.
        if (minute === 59) return { status: 'degraded' as const, minutes: 1 };
        return { status: isDown ? ('down' as const) : ('up' as const), minutes: 1 };
      });
      return { overview: { at: at + KEPT_AFTER_MS }, lines: [{ id: 'a', states }] };
    },
  };
}

/** A portal that is started a minute after noon, when the line is up. */
function openPortal(moments: ReturnType<typeof createMoments>) {
  const states = keepLineStates();
  const now = NOON + MINUTE_MS;
  return {
    recall: createLineStateRecall({ moments, states, now: () => now }),
    readLast: (minutes: number) => states.read('a', now, { minutes, current: 'up' }),
  };
}

test('the day before a restart is recalled, from moments that overlap, and only once', async () => {
  const moments = createMoments(() => true, { from: NOON - 5 * HOUR_MS, until: NOON - 3 * HOUR_MS });
  const { recall, readLast } = openPortal(moments);
  await recall();
  await recall();
  expect(moments.readTimes).toHaveLength(27);
  expect(readLast(1_440)).toEqual([
    { status: 'up', minutes: 1_138 },
    { status: 'down', minutes: 120 },
    { status: 'up', minutes: 180 },
    // Of noon, only its first seconds were seen.
    { status: 'unknown', minutes: 1 },
    { status: 'up', minutes: 1 },
  ]);
});

test('the time in which no portal ran is not known', async () => {
  const isOn = (at: number): boolean => at <= NOON - 4 * HOUR_MS || at === NOON;
  const { recall, readLast } = openPortal(createMoments(isOn, { from: 0, until: 0 }));
  await recall();
  expect(readLast(300)).toEqual([
    { status: 'up', minutes: 58 },
    { status: 'unknown', minutes: 181 },
    { status: 'up', minutes: 59 },
    { status: 'unknown', minutes: 1 },
    { status: 'up', minutes: 1 },
  ]);
});

test('what could not be read is recalled when the database is back', async () => {
  const moments = createMoments(() => true, { from: 0, until: 0 });
  const { recall, readLast } = openPortal(moments);
  moments.setAway(true);
  await expect(recall()).rejects.toThrow('away');
  moments.setAway(false);
  await recall();
  expect(readLast(60)).toEqual([
    { status: 'up', minutes: 58 },
    { status: 'unknown', minutes: 1 },
    { status: 'up', minutes: 1 },
  ]);
});
