import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { openLogOutput } from './open-log-output.ts';

/** A stream whose reader may pause, and whose disk may be full. */
function createDisk() {
  const state = { isFull: false, isPaused: false, written: '', streams: 0 };
  let resume = (): void => undefined;
  const open = (): Writable => {
    state.streams += 1;
    return new Writable({
      decodeStrings: false,
      autoDestroy: false,
      write: (lines: string, _encoding, done) => {
        const take = (): void => {
          if (state.isFull) return done(new Error('ENOSPC'));
          state.written += lines;
          done();
        };
        if (state.isPaused) resume = take;
        else take();
      },
    });
  };
  return { state, open, resume: () => ((state.isPaused = false), resume()) };
}

test('holds a bounded amount for a reader that pauses, drops the rest, and says so when it reads on', async () => {
  const { state, open, resume } = createDisk();
  const resumed: number[] = [];
  const output = openLogOutput({ open, maxHeldChars: 1_000, onResume: (dropped) => resumed.push(dropped) });
  state.isPaused = true;
  for (let line = 0; line < 1_000; line += 1) output.write(`${'x'.repeat(9)}\n`);
  expect(output.droppedLines()).toBe(900);
  expect(await output.flush(20)).toBe(false);
  expect(resumed).toEqual([]);
  resume();
  expect(await output.flush(5_000)).toBe(true);
  expect(state.written).toHaveLength(1_000);
  expect(resumed).toEqual([900]);
});

test('drops what a full disk does not take, and writes again when there is room', async () => {
  const { state, open } = createDisk();
  const resumed: number[] = [];
  const output = openLogOutput({ open, onResume: (dropped) => resumed.push(dropped) });
  state.isFull = true;
  for (let batch = 0; batch < 5; batch += 1) {
    output.write('one\ntwo\n');
    await output.flush(5_000);
  }
  expect([output.droppedLines(), state.written, resumed]).toEqual([10, '', []]);
  state.isFull = false;
  output.write('three\n');
  expect(await output.flush(5_000)).toBe(true);
  expect([output.droppedLines(), state.written, resumed]).toEqual([10, 'three\n', [10]]);
});
