import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LineStatus } from '../../../contract/console.ts';
import { keepLineStates } from './keep-line-states.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;

function noteAll(notes: readonly (readonly [afterMs: number, status: LineStatus])[]) {
  const states = keepLineStates();
  for (const [afterMs, status] of notes) states.note(new Map([['a', status]]), NOON + afterMs);
  return (afterMs: number, current: LineStatus, minutes = 60) =>
    states.read('a', NOON + afterMs, { minutes, current });
}

test('a minute has the worst state that the line had in it', () => {
  const read = noteAll([
    [0, 'up'],
    [MINUTE_MS, 'up'],
    [MINUTE_MS + 10_000, 'down'],
    [MINUTE_MS + 50_000, 'up'],
    [2 * MINUTE_MS, 'up'],
    [3 * MINUTE_MS, 'up'],
  ]);
  expect(read(4 * MINUTE_MS, 'up', 5)).toEqual([
    { status: 'up', minutes: 1 },
    { status: 'down', minutes: 1 },
    { status: 'up', minutes: 3 },
  ]);
});

test('the running minute is as the line is now, whatever it was before', () => {
  const read = noteAll([
    [0, 'up'],
    [10_000, 'down'],
  ]);
  expect(read(20_000, 'up', 2)).toEqual([
    { status: 'unknown', minutes: 1 },
    { status: 'up', minutes: 1 },
  ]);
});

test('what nobody has noted is unknown, and is no longer than what is asked for', () => {
  expect(noteAll([])(0, 'up', 3)).toEqual([
    { status: 'unknown', minutes: 2 },
    { status: 'up', minutes: 1 },
  ]);
  const read = noteAll([
    [0, 'degraded'],
    [10 * MINUTE_MS, 'down'],
  ]);
  expect(read(11 * MINUTE_MS, 'down')).toEqual([
    { status: 'unknown', minutes: 48 },
    { status: 'degraded', minutes: 1 },
    { status: 'unknown', minutes: 9 },
    { status: 'down', minutes: 2 },
  ]);
});

test('a clock that is set back does not stop it', () => {
  const read = noteAll([
    [60 * MINUTE_MS, 'down'],
    [0, 'up'],
    [MINUTE_MS, 'up'],
  ]);
  expect(read(2 * MINUTE_MS, 'up', 4)).toEqual([
    { status: 'unknown', minutes: 1 },
    { status: 'up', minutes: 3 },
  ]);
});

test('what was noted before a restart is recalled, the newest first, and never instead of what was noted since', () => {
  const states = keepLineStates();
  states.note(new Map([['a', 'up']]), NOON);
  const hourBefore = [
    { status: 'unknown', minutes: 40 },
    { status: 'down', minutes: 20 },
  ] as const;
  // Its last minute is the one that began at noon: it was not over.
  states.recall({ id: 'a', states: hourBefore }, NOON + 30_000);
  states.recall({ id: 'a', states: [{ status: 'degraded', minutes: 60 }] }, NOON - 58 * MINUTE_MS);
  expect(states.read('a', NOON + MINUTE_MS, { minutes: 90, current: 'up' })).toEqual([
    { status: 'degraded', minutes: 30 },
    { status: 'unknown', minutes: 39 },
    { status: 'down', minutes: 19 },
    { status: 'up', minutes: 2 },
  ]);
});

test('after a day a line that has left the site is forgotten', () => {
  const states = keepLineStates();
  states.note(new Map([['a', 'down']]), NOON);
  states.note(new Map([['b', 'up']]), NOON + 1_441 * MINUTE_MS);
  expect(states.read('a', NOON, { minutes: 2, current: 'up' })).toEqual([
    { status: 'unknown', minutes: 1 },
    { status: 'up', minutes: 1 },
  ]);
});

test('whatever is noted, the runs are as long as what is asked for, differ from their neighbours, and end with the state of now', () => {
  const status = fc.constantFrom<LineStatus>('up', 'degraded', 'down', 'unknown', 'maintenance');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: -200_000, max: 400_000 }), status), { maxLength: 40 }),
      status,
      fc.integer({ min: 1, max: 90 }),
      (steps, current, minutes) => {
        const states = keepLineStates();
        let at = NOON;
        for (const [afterMs, noted] of steps) {
          at += afterMs;
          states.note(new Map([['a', noted]]), at);
        }
        const runs = states.read('a', at, { minutes, current });
        expect(runs.reduce((sum, run) => sum + run.minutes, 0)).toBe(minutes);
        expect(runs.some((run, index) => run.status === runs[index + 1]?.status)).toBe(false);
        expect(runs.at(-1)?.status).toBe(current);
      },
    ),
  );
});
