import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSteering } from './create-steering.ts';
import type { Evidence } from './evidence.ts';
import { createHistory } from './history.ts';
import { type Snapshot, decodeSnapshot, encodeSnapshot } from './snapshot.ts';

const LINES = ['line-a', 'line-b', 'line-c', 'line-d', 'line-e'].map((id) => ({ id, weight: 1 }));
const AREA = 'GB/AS1';
const NOW = 1_700_000_000_000;

function createTaught() {
  const steering = createSteering({ random: Math.random, now: () => NOW });
  steering.setLines(LINES, 'measured');
  return steering;
}

/** What is known after one window. */
function createSnapshot(): Snapshot {
  const steering = createTaught();
  const history = createHistory();
  const counts = new Map([
    [AREA, new Map(Object.entries({ 'oline-a': 3, 'lline-a': 12_000, 'fline-b': 20, 'xline-b': 2 }))],
    ['*', new Map(Object.entries({ 'tline-a': 3, 'rline-a': 3, 'eline-a': 3 }))],
  ]);
  steering.fold(counts, NOW + 10_000);
  history.addWindow(counts, NOW + 10_000);
  return { windowNumber: 170_000_001, folds: 1, evidence: steering.evidence(), history: history.rings() };
}

test('is read as it was written', () => {
  const snapshot = createSnapshot();
  expect(decodeSnapshot(encodeSnapshot(snapshot))).toEqual(snapshot);
});

describe('a damaged one is refused', () => {
  const bytes = encodeSnapshot(createSnapshot());

  test('whichever byte was changed', () => {
    const places = fc.nat({ max: bytes.length - 1 });
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 255 }), (place, change) => {
        const damaged = Buffer.from(bytes);
        damaged[place] = (damaged[place] ?? 0) ^ change;
        expect(() => decodeSnapshot(damaged)).toThrow(Error);
      }),
      { numRuns: 300 },
    );
  });

  test('wherever it was cut, and when something follows it', () => {
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), (length) => {
        expect(() => decodeSnapshot(bytes.subarray(0, length))).toThrow(Error);
      }),
    );
    expect(() => decodeSnapshot(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(Error);
  });
});

test.each([Number.NaN, Infinity, -Infinity, -1, 1e300])('a number such as %d is refused', (number) => {
  for (const spoil of [
    ({ shares }: Evidence) => (shares[0] = number),
    ({ everyone }: Evidence) => (everyone.cells[0] = number),
    ({ everyone }: Evidence) => (everyone.cells[3] = number),
    ({ areas }: Evidence) => ((areas.get(AREA) ?? { at: 0 }).at = number),
  ]) {
    const snapshot = createSnapshot();
    spoil(snapshot.evidence);
    expect(() => decodeSnapshot(encodeSnapshot(snapshot))).toThrow('holds a number');
  }
  expect(() => decodeSnapshot(encodeSnapshot({ ...createSnapshot(), folds: number }))).toThrow('header');
  expect(() => decodeSnapshot(encodeSnapshot({ ...createSnapshot(), windowNumber: number }))).toThrow(
    'header',
  );
});

test('whatever numbers it holds, the steering goes on with finite ones, and picks four lines', () => {
  const numbers = fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }), fc.constant(0));
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 8, maxLength: 8 }), (given) => {
      const snapshot = createSnapshot();
      const { shares, everyone, areas } = snapshot.evidence;
      const cells = areas.get(AREA)?.cells ?? new Float64Array();
      for (const [place, number] of given.entries()) {
        (place < 2 ? shares : place < 4 ? everyone.cells : cells)[place] = number;
      }
      const steering = createTaught();
      try {
        steering.restore(decodeSnapshot(encodeSnapshot(snapshot)).evidence);
      } catch {
        return; // Refused, and the portal starts afresh.
      }
      for (const view of steering.explain(AREA)) {
        const { reach, timeMs, loadFactor, effectiveMs } = view;
        for (const number of [reach, timeMs, loadFactor, effectiveMs])
          expect(number).toSatisfy(Number.isFinite);
      }
      expect(new Set(steering.pick(AREA)).size).toBe(4);
    }),
    { numRuns: 500 },
  );
});

test('where the lines that had all visitors have left, the others share alike', () => {
  const snapshot = createSnapshot();
  snapshot.evidence.shares.set([1, 0, 0, 0, 0]);
  const steering = createTaught();
  steering.setLines(LINES.slice(1), 'measured');
  steering.restore(decodeSnapshot(encodeSnapshot(snapshot)).evidence);
  expect([...steering.evidence().shares]).toEqual([0.25, 0.25, 0.25, 0.25]);
});
