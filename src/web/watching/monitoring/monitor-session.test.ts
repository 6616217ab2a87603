import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  type EnteredLine,
  type ErrorReport,
  type IntakeMessage,
  type SeenLines,
  intakeMessageSchema,
} from '../../../contract/intake-message.ts';
import { createStore } from '../../../contract/create-store.ts';
import { createFakeClock } from '../../../engine/testing/create-fake-clock.ts';
import { createEventLog } from '../create-event-log.ts';
import type { Vitals } from '../watch-vitals.ts';
import type { MessageBody, PostOutcome } from './create-send-queue.ts';
import { monitorSession } from './monitor-session.ts';
import { createFakeWorker } from './replay/testing/create-fake-worker.ts';

function open({ hasReplay = false, outcome = 'sent' }: { hasReplay?: boolean; outcome?: PostOutcome } = {}) {
  const clock = createFakeClock();
  const worker = createFakeWorker();
  const posted: IntakeMessage[] = [];
  const beacons: IntakeMessage[] = [];
  const read = (body: MessageBody) => v.parse(intakeMessageSchema, JSON.parse(String(body)));
  const errors = createEventLog<ErrorReport>();
  const enteredLines = createEventLog<EnteredLine>();
  const seenLines = createStore<SeenLines>({ firstRowAt: null, reachedLines: 0, failedLines: 0 });
  const vitals: Vitals = {};
  errors.add({ at: 1, message: 'early', stack: '' });
  const startedAt = clock.now();
  let emit: (event: { timestamp: number }) => void = () => undefined;
  const session = {
    id: 'a'.repeat(32),
    startedAt,
    activeAt: startedAt,
    isSampled: true,
    replay: hasReplay ? ('starting' as const) : ('not-sampled' as const),
    pageViews: 3,
  };
  const monitor = monitorSession(session, {
    now: clock.now,
    setTimer: clock.setTimer,
    random: () => 1,
    createId: () => 'b'.repeat(32),
    page: '/',
    device: 'pc',
    language: 'en',
    openedAt: startedAt,
    post(body) {
      posted.push(read(body));
      return Promise.resolve(outcome);
    },
    beacon: (body) => beacons.push(read(body)) > 0,
    errors,
    enteredLines,
    seenLines,
    vitals,
    openWorker: worker.open,
    onNoWorker: () => undefined,
    loadRecorder: () =>
      Promise.resolve((onEvent) => {
        emit = onEvent;
        return { takeSnapshot: () => undefined, stop: () => undefined };
      }),
  });
  const add = (data: string) => emit({ type: 3, timestamp: clock.now(), data } as { timestamp: number });
  return { add, clock, worker, posted, beacons, errors, enteredLines, seenLines, vitals, monitor };
}

const LINE = { at: 2, index: 1, host: 'line1.example', time: 40 };

describe('monitorSession', () => {
  test('posts a record at once, with what happened before', async () => {
    const { clock, posted } = open();
    await clock.settle();
    expect(posted).toMatchObject([
      {
        kind: 'session',
        revision: 1,
        pageViews: 3,
        device: 'pc',
        language: 'en',
        reachedLines: 0,
        replay: 'not-sampled',
        errors: [{ message: 'early' }],
      },
    ]);
  });

  test('posts what has changed, together', async () => {
    const { clock, posted, errors, enteredLines, seenLines, vitals } = open();
    await clock.settle();
    errors.add({ at: 2, message: 'late', stack: '' });
    await clock.advance(1_000);
    seenLines.set({ firstRowAt: 7, reachedLines: 4, failedLines: 0 });
    enteredLines.add(LINE);
    vitals.TTFB = 20;
    await clock.advance(4_000);
    expect(posted.slice(1)).toMatchObject([
      {
        revision: 2,
        enteredLines: [LINE],
        firstRowAt: 7,
        reachedLines: 4,
        vitals: { TTFB: 20 },
        errors: [{}, { message: 'late' }],
      },
    ]);
    await clock.advance(60_000);
    expect(posted).toHaveLength(2);
  });

  test('says whether all was sent: not of an open page, and again not of one that is seen again', async () => {
    const { clock, monitor, posted, beacons } = open();
    const last = () => [...posted, ...beacons].map((message) => 'isWhole' in message && message.isWhole);
    await clock.advance(5_000);
    expect(last()).toEqual([false]);
    monitor.flush();
    monitor.flush();
    expect(last()).toEqual([false, true]);
    monitor.resume();
    await clock.advance(5_000);
    expect(posted.at(-1)).toMatchObject({ isWhole: false });
    monitor.end();
    expect(posted.at(-1)).toMatchObject({ isWhole: true });
  });

  test('flushes by beacon what has changed', async () => {
    const { clock, monitor, beacons, posted, enteredLines } = open();
    await clock.settle();
    monitor.flush();
    enteredLines.add(LINE);
    monitor.flush();
    monitor.flush();
    expect(beacons).toMatchObject([
      { revision: 2, enteredLines: [] },
      { revision: 3, enteredLines: [LINE] },
    ]);
    await clock.advance(60_000);
    expect(posted).toHaveLength(1);
  });

  test('counts the segments in the record that goes ahead of them, so that none is lost unnoticed', async () => {
    const { clock, monitor, beacons, worker, add } = open({ hasReplay: true });
    await clock.settle();
    worker.say({ kind: 'ready' });
    await clock.settle();
    for (const data of ['a', 'b', 'c']) add(data.repeat(10_000));
    monitor.flush();
    expect(beacons).toMatchObject([
      { kind: 'session', segments: 3 },
      { kind: 'segment', number: 1 },
      { kind: 'segment', number: 2 },
      { kind: 'segment', number: 3 },
    ]);
  });

  test('keeps only the newest record for an intake that is down', async () => {
    const { clock, posted, errors } = open({ outcome: 'failed' });
    for (let number = 0; number < 3; number += 1) {
      errors.add({ at: number, message: `${number}`, stack: '' });
      await clock.advance(10_000);
    }
    await clock.advance(60_000);
    expect(posted.at(-1)).toMatchObject({ kind: 'session', revision: 4 });
  });

  test('says what became of the replay', async () => {
    const { clock, posted, worker } = open({ hasReplay: true });
    await clock.settle();
    expect(posted).toMatchObject([{ replay: 'starting' }]);
    await clock.advance(15_000);
    expect(posted.slice(1)).toMatchObject([{ replay: 'worker-timeout' }]);
    expect(worker.isTerminated()).toBe(true);
  });

  test('hears nothing any more once it has ended, and has said all', async () => {
    const { clock, monitor, posted, errors, enteredLines } = open();
    await clock.settle();
    enteredLines.add(LINE);
    monitor.end();
    await clock.settle();
    errors.add({ at: 2, message: 'late', stack: '' });
    await clock.advance(60_000);
    expect(posted.slice(1)).toMatchObject([{ revision: 2, enteredLines: [LINE] }]);
    expect(clock.openTimers()).toBe(0);
  });

  test('sends nothing any more once it is discarded', async () => {
    const { clock, monitor, posted, beacons, enteredLines } = open();
    await clock.settle();
    enteredLines.add(LINE);
    monitor.discard();
    monitor.flush();
    await clock.advance(60_000);
    expect(posted).toHaveLength(1);
    expect(beacons).toEqual([]);
    expect(clock.openTimers()).toBe(0);
  });
});
