import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { type ReplayState, segmentSchema } from '../../../../contract/intake-message.ts';
import { createFakeClock } from '../../../../engine/testing/create-fake-clock.ts';
import type { MessageBody, PostOutcome } from '../create-send-queue.ts';
import { startReplay } from './start-replay.ts';
import { createFakeWorker } from './testing/create-fake-worker.ts';

function open() {
  const clock = createFakeClock();
  const worker = createFakeWorker();
  const posted: MessageBody[] = [];
  const beacons: MessageBody[] = [];
  const states: ReplayState[] = [];
  const noWorker: ReplayState[] = [];
  const counts = { segments: 0, dropped: 0, oversized: 0, snapshots: 0, recorders: 0, stops: 0 };
  let outcome: PostOutcome = 'sent';
  let emit: (event: { timestamp: number }) => void = () => undefined;
  let isRecorderLost = false;
  const replay = startReplay({
    setTimer: clock.setTimer,
    random: () => 1,
    session: 'a'.repeat(32),
    view: 'b'.repeat(32),
    post(body) {
      posted.push(body);
      return Promise.resolve(outcome);
    },
    beacon: (body) => beacons.push(body) > 0,
    record: {
      setReplay: (state) => states.push(state),
      setSegments: (count) => (counts.segments = count),
      countDroppedSegment: () => (counts.dropped += 1),
      countOversizedEvent: () => (counts.oversized += 1),
    },
    openWorker: worker.open,
    onNoWorker: (why) => noWorker.push(why),
    async loadRecorder() {
      if (isRecorderLost) throw new TypeError('blocked');
      return (onEvent) => {
        counts.recorders += 1;
        emit = onEvent;
        return {
          takeSnapshot: () => (counts.snapshots += 1),
          stop: () => (counts.stops += 1),
        };
      };
    },
  });
  return {
    clock,
    worker,
    replay,
    posted,
    beacons,
    states,
    noWorker,
    counts,
    add: (data = '') => emit({ type: 3, timestamp: clock.now(), data } as { timestamp: number }),
    setOutcome: (next: PostOutcome) => (outcome = next),
    loseRecorder: () => (isRecorderLost = true),
    start: async (): Promise<void> => {
      worker.say({ kind: 'ready' });
      await clock.settle();
    },
    /** Lets the worker finish what it was given. */
    compress: async (): Promise<void> => {
      for (const { id, text } of worker.tasks.splice(0)) {
        worker.say({ kind: 'compressed', id, bytes: new TextEncoder().encode(`gzip ${text.length}`) });
      }
      await clock.settle();
    },
  };
}

const parse = (body: MessageBody | undefined) =>
  v.parse(segmentSchema, JSON.parse(typeof body === 'string' ? body : 'null'));

describe('startReplay', () => {
  test('loads the recorder only when the worker has started', async () => {
    const { clock, counts, states, start } = open();
    await clock.advance(10_000 - 1);
    expect(counts.recorders).toBe(0);
    await start();
    expect(counts.recorders).toBe(1);
    expect(states).toEqual(['recording']);
  });

  test('is off, and says so, where the worker has not started in 10 s', async () => {
    const { clock, counts, states, noWorker, start } = open();
    await clock.advance(10_000);
    await start();
    expect(states).toEqual(['worker-timeout']);
    expect(noWorker).toEqual(['worker-timeout']);
    expect(counts.recorders).toBe(0);
  });

  test('is off, and says so, where the recorder is lost', async () => {
    const { loseRecorder, start, states, worker } = open();
    loseRecorder();
    await start();
    expect(states).toEqual(['failed']);
    expect(worker.isTerminated()).toBe(true);
  });

  test('posts each segment when it is compressed', async () => {
    const { clock, start, add, compress, posted, worker } = open();
    await start();
    add('one');
    await clock.advance(30_000);
    expect(parse(worker.tasks[0]?.text)).toMatchObject({ number: 1, events: [{ type: 3, data: 'one' }] });
    expect(posted).toEqual([]);
    await compress();
    expect(posted).toEqual([expect.any(Uint8Array)]);
  });

  test('flushes what is open and what is being compressed as it is', async () => {
    const { clock, start, add, compress, replay, posted, beacons } = open();
    await start();
    add('one');
    await clock.advance(30_000);
    add('two');
    replay.close();
    replay.flush();
    expect(beacons.map((body) => parse(body).number)).toEqual([1, 2]);
    await compress();
    expect(posted).toEqual([]);
  });

  test('counts events that are too large', async () => {
    const { start, add, counts } = open();
    await start();
    add('x'.repeat(60_000));
    expect(counts.oversized).toBe(1);
  });

  test('takes a new snapshot once segments get through again behind a gap', async () => {
    const { clock, start, add, compress, setOutcome, counts } = open();
    await start();
    setOutcome('failed');
    for (let number = 0; number < 25; number += 1) {
      add();
      await clock.advance(30_000);
      await compress();
    }
    expect(counts).toMatchObject({ dropped: 5, snapshots: 0 });
    setOutcome('sent');
    await clock.advance(60_000);
    expect(counts).toMatchObject({ dropped: 5, snapshots: 1 });
  });

  test('sends the rest as it is when the worker breaks', async () => {
    const { clock, start, add, worker, posted, states, counts } = open();
    await start();
    add('one');
    worker.fail();
    await clock.settle();
    expect(states).toEqual(['recording', 'failed']);
    expect(counts.stops).toBe(1);
    expect(posted.map((body) => parse(body).number)).toEqual([1]);
  });

  test('sends nothing any more once it is discarded', async () => {
    const { clock, start, add, replay, posted, beacons, worker, counts } = open();
    await start();
    add('one');
    replay.discard();
    replay.close();
    replay.flush();
    await clock.advance(60_000);
    expect([...posted, ...beacons]).toEqual([]);
    expect(worker.isTerminated()).toBe(true);
    expect(counts.stops).toBe(1);
    expect(clock.openTimers()).toBe(0);
  });

  test('does not start any more once it has ended', async () => {
    const { clock, replay, start, states, counts } = open();
    replay.end();
    await start();
    await clock.advance(10_000);
    expect(states).toEqual([]);
    expect(counts.recorders).toBe(0);
  });
});
