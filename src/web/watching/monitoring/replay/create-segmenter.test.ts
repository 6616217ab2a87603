import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../../engine/testing/create-fake-clock.ts';
import { type EventRun, createSegmenter } from './create-segmenter.ts';

function open() {
  const clock = createFakeClock();
  const closed: EventRun[] = [];
  const segmenter = createSegmenter({ setTimer: clock.setTimer, onClose: (run) => closed.push(run) });
  const add = (data: string) => segmenter.add({ timestamp: clock.now(), data } as { timestamp: number });
  return { clock, closed, segmenter, add };
}

/** As it travels: the events in an array. */
const sizeOf = (run: EventRun) => Buffer.byteLength(`[${run.events.join(',')}]`);
const overhead = Buffer.byteLength(JSON.stringify([{ timestamp: 1_800_000_000_000, data: '' }]));

describe('createSegmenter', () => {
  test('writes no query of an address', () => {
    const { closed, segmenter, add } = open();
    add('https://brand.example/?coupon=SECRET');
    segmenter.close();
    expect(closed[0]?.events[0]).toContain('"https://brand.example/"');
  });

  test('closes a segment 30 s after its first event', async () => {
    const { clock, closed, add } = open();
    await clock.advance(12_345);
    add('one');
    await clock.advance(30_000 - 1);
    add('two');
    expect(closed).toEqual([]);
    await clock.advance(1);
    expect(closed).toMatchObject([{ number: 1, isOversized: false }]);
    expect(closed[0]?.events).toHaveLength(2);
    expect(clock.openTimers()).toBe(0);
  });

  test('closes by the events’ own time where the timer is late', async () => {
    const closed: EventRun[] = [];
    const segmenter = createSegmenter({
      setTimer: () => () => undefined,
      onClose: (run) => closed.push(run),
    });
    segmenter.add({ timestamp: 1_000 });
    segmenter.add({ timestamp: 1_000 + 30_000 });
    expect(closed.map(({ events }) => events)).toEqual([['{"timestamp":1000}']]);
  });

  test('fills a segment to the last byte', () => {
    const { closed, segmenter, add } = open();
    add('x'.repeat(60_000 - overhead));
    expect(closed).toEqual([]);
    segmenter.close();
    expect(closed.map(sizeOf)).toEqual([60_000]);
    expect(closed[0]?.isOversized).toBe(false);
  });

  test('counts bytes, not characters', () => {
    const { closed, add } = open();
    add('字'.repeat(15_000));
    add('字'.repeat(15_000));
    expect(closed.map(({ events }) => events.length)).toEqual([1]);
  });

  test('sends a larger event alone and at once, and says so', () => {
    const { closed, segmenter, add } = open();
    add('before');
    add('x'.repeat(60_000));
    expect(closed).toHaveLength(2);
    add('after');
    segmenter.close();
    expect(closed.map(({ number, events, isOversized }) => [number, events.length, isOversized])).toEqual([
      [1, 1, false],
      [2, 1, true],
      [3, 1, false],
    ]);
  });

  test('has nothing to close where nothing was added', () => {
    const { closed, segmenter } = open();
    segmenter.close();
    expect(closed).toEqual([]);
  });

  test('keeps every event, in order, within the limits', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, (given) => {
        const { closed, segmenter, add } = open();
        for (const size of given) add('x'.repeat(size));
        segmenter.close();
        const kept = closed.flatMap(({ events }) =>
          events.map((event) => JSON.parse(event) as { data: string }),
        );
        expect(kept.map(({ data }) => data.length)).toEqual(given);
        expect(closed.map(({ number }) => number)).toEqual(closed.map((_, index) => index + 1));
        for (const run of closed) {
          expect(sizeOf(run) > 60_000).toBe(run.isOversized);
          if (run.isOversized) expect(run.events).toHaveLength(1);
        }
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  test('closes what is open in pieces of at most 16,000 bytes, in order, as the page goes', () => {
    const { clock, closed, segmenter, add } = open();
    for (const data of ['a', 'b', 'c', 'd', 'e']) add(data.repeat(7_000));
    add('f'.repeat(20_000));
    segmenter.closeInPieces();
    expect(closed.map(({ number, events }) => [number, events.length])).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
      [4, 1],
    ]);
    expect(closed.slice(0, 3).every((run) => sizeOf(run) <= 16_000)).toBe(true);
    expect(closed.some(({ isOversized }) => isOversized)).toBe(false);
    expect(clock.openTimers()).toBe(0);
  });

  test('has every event left where the browser ended the script that closed it', () => {
    const closed: EventRun[] = [];
    let isEnded = true;
    const segmenter = createSegmenter({
      setTimer: () => () => undefined,
      onClose(run) {
        if (isEnded && run.number === 2) throw new Error('ended');
        closed.push(run);
      },
    });
    for (const data of ['a', 'b', 'c']) {
      segmenter.add({ timestamp: 1_000, data: data.repeat(10_000) } as { timestamp: number });
    }
    expect(segmenter.closeInPieces).toThrow('ended');
    isEnded = false;
    segmenter.closeInPieces();
    expect(closed.map(({ number, events }) => [number, events[0]?.slice(27, 28)])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });
});
