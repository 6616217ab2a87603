import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../engine/testing/create-fake-clock.ts';
import { type MessageBody, type Outgoing, type PostOutcome, createSendQueue } from './create-send-queue.ts';

function open(maxWaiting = 3) {
  const clock = createFakeClock();
  const posted: { body: MessageBody; answer: (outcome: PostOutcome) => void }[] = [];
  const beacons: MessageBody[] = [];
  const counts = { dropped: 0, sent: 0 };
  let isBeaconTaken = true;
  const queue = createSendQueue({
    post: (body) => new Promise((resolve) => posted.push({ body, answer: resolve })),
    beacon(body) {
      if (isBeaconTaken) beacons.push(body);
      return isBeaconTaken;
    },
    maxWaiting,
    setTimer: clock.setTimer,
    random: () => 1,
    onDrop: () => (counts.dropped += 1),
    onSent: () => (counts.sent += 1),
  });
  return {
    clock,
    queue,
    posted: () => posted.map(({ body }) => body),
    beacons,
    counts,
    refuseBeacons: () => (isBeaconTaken = false),
    add: (...bodies: readonly string[]): void => {
      for (const body of bodies) queue.add({ body, isReady: true });
      queue.advance();
    },
    answer: async (outcome: PostOutcome): Promise<void> => {
      posted.at(-1)?.answer(outcome);
      await clock.settle();
    },
  };
}

describe('createSendQueue', () => {
  test('posts one at a time and in order', async () => {
    const { add, answer, posted, counts } = open();
    add('a', 'b');
    expect(posted()).toEqual(['a']);
    await answer('sent');
    expect(posted()).toEqual(['a', 'b']);
    await answer('sent');
    expect(counts).toEqual({ dropped: 0, sent: 2 });
  });

  test('waits for the one at the head to be ready', () => {
    const { queue, posted } = open();
    const slow: Outgoing = { body: 'text', isReady: false };
    queue.add(slow);
    queue.add({ body: 'next', isReady: true });
    queue.advance();
    expect(posted()).toEqual([]);
    slow.body = 'compressed';
    slow.isReady = true;
    queue.advance();
    expect(posted()).toEqual(['compressed']);
  });

  test('tries again after pauses that double up to a minute', async () => {
    const { clock, add, answer, posted } = open();
    add('a');
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      const tries = posted().length;
      await answer('failed');
      await clock.advance(pauseMs - 1);
      expect(posted()).toHaveLength(tries);
      await clock.advance(1);
      expect(posted()).toHaveLength(tries + 1);
    }
    await answer('sent');
    add('b');
    await answer('failed');
    await clock.advance(1_000);
    expect(posted().slice(-2)).toEqual(['b', 'b']);
  });

  test('drops the oldest beyond its bound, and counts', async () => {
    const { clock, add, answer, posted, counts } = open(2);
    add('a', 'b', 'c');
    expect(counts.dropped).toBe(1);
    await answer('failed');
    add('d', 'e');
    expect(counts.dropped).toBe(3);
    await clock.advance(1_000);
    await answer('sent');
    await answer('sent');
    expect(posted().slice(-2)).toEqual(['d', 'e']);
  });

  test('goes on behind one that the intake does not want', async () => {
    const { add, answer, posted, counts } = open();
    add('a', 'b');
    await answer('refused');
    expect(posted()).toEqual(['a', 'b']);
    expect(counts.dropped).toBe(1);
  });

  test('hands over what has not left, in order, ready or not', async () => {
    const { queue, add, beacons, clock } = open();
    add('a', 'b');
    queue.add({ body: 'c', isReady: false });
    queue.flush();
    expect(beacons).toEqual(['b', 'c']);
    await clock.settle();
    queue.flush();
    expect(beacons).toHaveLength(2);
  });

  test('keeps what the browser does not take', async () => {
    const { queue, add, answer, beacons, posted, refuseBeacons } = open();
    refuseBeacons();
    add('a', 'b');
    queue.flush();
    await answer('sent');
    expect(beacons).toEqual([]);
    expect(posted()).toEqual(['a', 'b']);
  });

  test('is silent once it is stopped', async () => {
    const { clock, queue, add, answer, posted, beacons } = open();
    add('a', 'b');
    queue.stop();
    await answer('failed');
    add('c');
    queue.flush();
    expect(posted()).toEqual(['a']);
    expect(beacons).toEqual([]);
    expect(clock.openTimers()).toBe(0);
  });
});
