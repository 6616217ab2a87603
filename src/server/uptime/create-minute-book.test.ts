import { describe, expect, test } from 'vitest';
import { percentOfProbes, percentOfVisitors } from '../../contract/uptime.ts';
import { type Counts, createCounts, openTally } from '../learning/counts.ts';
import { type MinuteState, createMinuteBook } from './create-minute-book.ts';

const UP: MinuteState = { isDown: false, isHandedOut: true };
const DOWN: MinuteState = { isDown: true, isHandedOut: true };
const MINUTE_MS = 60_000;

/** A window in which visitors of one line met it, and some got in. */
function countVisits(met: number, gotIn: number): Counts {
  const counts = createCounts();
  counts.site.hostnameCalls = 1;
  Object.assign(counts.site, { met, gotIn });
  if (met > 0) Object.assign(openTally(counts, 'a'), { met, gotIn });
  return counts;
}

function sumOf(counts: readonly Counts[], state: MinuteState | undefined, id = 'a') {
  const book = createMinuteBook();
  for (const each of counts) book.addWindow(each, 7 * MINUTE_MS + 10_000);
  if (state !== undefined) book.noteStates(7, new Map([['a', state]]));
  const [minute] = book.list(6, 7);
  return minute?.sums.get(id);
}

describe('a minute of a line', () => {
  test('is the part of its visitors who got in, whatever the server sees', () => {
    const sums = sumOf([countVisits(3, 3), countVisits(1, 0)], DOWN);
    expect(sums).toMatchObject({ known: 1, visits: 4, gotIn: 3, leftOut: 0, probed: 1, probedUp: 0 });
    expect(sums && percentOfVisitors(sums)).toBe(75);
  });

  test('without a visit is unknown, and not well', () => {
    const sums = sumOf([countVisits(0, 0)], UP);
    expect(sums).toMatchObject({ served: 1, known: 0, leftOut: 0, probed: 1, probedUp: 1 });
    expect(sums && percentOfVisitors(sums)).toBeUndefined();
  });

  test('in which it was down, and so nobody was handed it, counts as one in which nobody got in', () => {
    const sums = sumOf([countVisits(0, 0)], DOWN);
    expect(sums && percentOfVisitors(sums)).toBe(0);
    // Nobody was there, or nobody would have been handed it anyway.
    expect(sumOf([], DOWN)).toMatchObject({ served: 0, leftOut: 0 });
    expect(sumOf([countVisits(0, 0)], { ...DOWN, isHandedOut: false })).toMatchObject({ leftOut: 0 });
    // Visitors reach it, but nobody has stayed long enough to tell.
    const handedOut = countVisits(0, 0);
    openTally(handedOut, 'a').handedOut = 1;
    expect(sumOf([handedOut], DOWN)).toMatchObject({ served: 1, leftOut: 0, known: 0 });
  });

  test('of which the server knows nothing has no probe', () => {
    const sums = sumOf([countVisits(2, 2)], { isDown: undefined, isHandedOut: true });
    expect(sums && [percentOfVisitors(sums), percentOfProbes(sums)]).toEqual([100, undefined]);
  });

  test('says nothing in maintenance, and while the site is closed', () => {
    expect(sumOf([countVisits(2, 0)], undefined)).toBeUndefined();
  });
});

test('the site is up for the server while any line is', () => {
  const book = createMinuteBook();
  book.addWindow(countVisits(2, 1), 7 * MINUTE_MS + 1);
  book.noteStates(
    7,
    new Map([
      ['a', UP],
      ['b', DOWN],
    ]),
  );
  expect(book.list(0, 9)[0]?.sums.get('')).toMatchObject({ served: 1, visits: 2, gotIn: 1, probedUp: 1 });
  book.noteStates(8, new Map([['b', DOWN]]));
  expect(book.list(7, 9)[0]?.sums.get('')).toMatchObject({ served: 0, known: 0, probed: 1, probedUp: 0 });
});

test('keeps an hour of minutes that nobody has taken', () => {
  const book = createMinuteBook();
  for (let minute = 1; minute <= 70; minute += 1) book.noteStates(minute, new Map([['a', UP]]));
  expect(book.list(0, 100).map(({ minute }) => minute)).toHaveLength(60);
  book.forget(69);
  expect(book.list(0, 100).map(({ minute }) => minute)).toEqual([70]);
});

test('a percentage is never rounded up', () => {
  const almost = { served: 10_000, leftOut: 0, known: 10_000, good: 99_999_999 };
  expect(percentOfVisitors(almost)).toBe(99.99);
  expect(percentOfVisitors({ served: 3, leftOut: 0, known: 3, good: 30_000 })).toBe(100);
  expect(percentOfProbes({ probed: 100_000, probedUp: 99_999 })).toBe(99.99);
  expect(percentOfProbes({ probed: 1_000, probedUp: 999 })).toBe(99.9);
});

test('minutes without a visit weigh neither for a line nor against it', () => {
  // Half of the minutes are known, and all got in; in a tenth of the minutes the line was left out.
  expect(percentOfVisitors({ served: 100, leftOut: 10, known: 45, good: 450_000 })).toBe(90);
});
