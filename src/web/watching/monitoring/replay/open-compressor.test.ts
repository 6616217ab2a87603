import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../../engine/testing/create-fake-clock.ts';
import { openCompressor } from './open-compressor.ts';
import { createFakeWorker } from './testing/create-fake-worker.ts';

function open() {
  const clock = createFakeClock();
  const worker = createFakeWorker();
  let failures = 0;
  const compressor = openCompressor({
    setTimer: clock.setTimer,
    openWorker: worker.open,
    onFailed: () => (failures += 1),
  });
  return { clock, worker, compressor, failures: () => failures };
}

describe('openCompressor', () => {
  test('starts when the worker says so', async () => {
    const { clock, worker, compressor } = open();
    worker.say({ kind: 'ready' });
    expect(await compressor.started).toBe('ready');
    expect(clock.openTimers()).toBe(0);
  });

  test('gives a worker 10 s, and ends one that is late', async () => {
    const { clock, worker, compressor } = open();
    await clock.advance(10_000 - 1);
    expect(worker.isTerminated()).toBe(false);
    await clock.advance(1);
    expect(await compressor.started).toBe('worker-timeout');
    expect(worker.isTerminated()).toBe(true);
  });

  test('says why it could not start', async () => {
    const unsupported = open();
    unsupported.worker.say({ kind: 'unsupported' });
    expect(await unsupported.compressor.started).toBe('unsupported');
    const broken = open();
    broken.worker.fail();
    expect(await broken.compressor.started).toBe('failed');
    const forbidden = openCompressor({
      setTimer: createFakeClock().setTimer,
      openWorker() {
        throw new Error('forbidden by policy');
      },
      onFailed: () => undefined,
    });
    expect(await forbidden.started).toBe('failed');
  });

  test('answers each text with its own bytes', () => {
    const { worker, compressor } = open();
    worker.say({ kind: 'ready' });
    const answers: unknown[] = [];
    compressor.compress('a', (bytes) => answers.push(['a', bytes?.length]));
    compressor.compress('b', (bytes) => answers.push(['b', bytes?.length]));
    worker.say({ kind: 'compressed', id: 2, bytes: new Uint8Array(2) });
    worker.say({ kind: 'compressed', id: 1, bytes: new Uint8Array(1) });
    expect(answers).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });

  test('answers with nothing once the worker broke', () => {
    const { worker, compressor, failures } = open();
    worker.say({ kind: 'ready' });
    const answers: unknown[] = [];
    compressor.compress('a', (bytes) => answers.push(bytes));
    worker.fail();
    compressor.compress('b', (bytes) => answers.push(bytes));
    expect(answers).toEqual([undefined, undefined]);
    expect(failures()).toBe(1);
    expect(worker.isTerminated()).toBe(true);
  });
});
