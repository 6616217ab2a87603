import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSteering } from './create-steering.ts';
import { countReport } from './count-report.ts';
import { addCounts, createCounts, openTally } from './counts.ts';
import { createHistory } from './create-history.ts';
import type { Knowledge } from './knowledge.ts';
import { type Snapshot, decodeSnapshot, encodeSnapshot, packSnapshot, unpackSnapshot } from './snapshot.ts';
import { type LineRecord, type View, createRecord, createView } from './view.ts';

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
  const counts = createCounts();
  for (const prefix of ['198.51.1', '198.51.2', '198.51.3']) {
    const results = [
      { index: 0, outcome: 'valid', time: 55 },
      { index: 1, outcome: 'timeout', time: 99_999 },
    ] as const;
    const report = { area: AREA, prefix, lineIds: ['line-a', 'line-b'], results: [...results], entered: 0 };
    addCounts(counts, countReport(report));
  }
  steering.fold(counts, NOW + 10_000);
  history.addWindow(counts, NOW + 10_000);
  return { seq: 1, knowledge: steering.knowledge(), history: history.save() };
}

function recordOf({ lines }: View): LineRecord {
  return lines.get('line-a') ?? createRecord();
}

function evidenceOf({ losses }: Knowledge): { since: number } {
  return losses.places.lines.get('line-b')?.get(AREA) ?? { since: 0 };
}

test('is packed: a site of 1,000 lines takes less than 4 MB', async () => {
  const history = createHistory();
  const counts = createCounts();
  for (let line = 0; line < 1_000; line += 1) openTally(counts, `line-${line}`).handedOut = line;
  history.addWindow(counts, NOW);
  const snapshot = { ...createSnapshot(), history: history.save() };
  const packed = await packSnapshot(encodeSnapshot(snapshot));
  expect(packed.length).toBeLessThan(4_000_000);
  // Compared as bytes: a test runner takes minutes to compare eleven million numbers.
  expect(encodeSnapshot(await unpackSnapshot(packed)).equals(encodeSnapshot(snapshot))).toBe(true);
});

test('keeps how many visitors reached nothing, so that a restart does not forget that too many are lost', () => {
  const history = createHistory();
  const counts = createCounts();
  const strandedByVoter = new Map([
    [0, 3],
    [23, 6],
  ]);
  Object.assign(counts.site, { reports: 40, stranded: 9, strandedByVoter });
  history.addWindow(counts, NOW - 300 * 60_000);
  history.addWindow(counts, NOW);
  const restored = createHistory();
  restored.restore(decodeSnapshot(encodeSnapshot({ ...createSnapshot(), history: history.save() })).history);
  expect(restored.sumArrivals(NOW, 60)).toEqual({ reports: 40, stranded: 9, strandedOfOneVoter: 6 });
  expect(restored.sumArrivals(NOW, 360)).toEqual({ reports: 80, stranded: 18, strandedOfOneVoter: 6 });
});

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
    (knowledge: Knowledge) => (knowledge.shares = [number, ...knowledge.shares.slice(1)]),
    ({ everyone }: Knowledge) => (recordOf(everyone).reached = number),
    ({ everyone }: Knowledge) => (recordOf(everyone).sumLnMs = number),
    ({ areas }: Knowledge) => ((areas.get(AREA) ?? { at: 0 }).at = number),
    (knowledge: Knowledge) => (evidenceOf(knowledge).since = number),
  ]) {
    const snapshot = createSnapshot();
    spoil(snapshot.knowledge);
    expect(() => decodeSnapshot(encodeSnapshot(snapshot))).toThrow('holds a number');
  }
  expect(() => decodeSnapshot(encodeSnapshot({ ...createSnapshot(), seq: number }))).toThrow('header');
});

test('whatever numbers it holds, the steering goes on with finite ones, and picks four lines', () => {
  const numbers = fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }), fc.constant(0));
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 8, maxLength: 8 }), (given) => {
      const snapshot = createSnapshot();
      const { knowledge } = snapshot;
      const [share = 0, reached = 0, ...ofArea] = given;
      knowledge.shares = [share, ...knowledge.shares.slice(1)];
      recordOf(knowledge.everyone).reached = reached;
      const [failed = 0, lost = 0, times = 0, sumLnMs = 0, at = 0, sum = 0] = ofArea;
      const area = knowledge.areas.get(AREA) ?? createView(0);
      Object.assign(recordOf(area), { failed, lost, times, sumLnMs });
      area.at = at;
      Object.assign(evidenceOf(knowledge), { sum });
      const steering = createTaught();
      try {
        steering.restore(decodeSnapshot(encodeSnapshot(snapshot)).knowledge);
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
  snapshot.knowledge.shares = [1, 0, 0, 0, 0];
  const steering = createTaught();
  steering.setLines(LINES.slice(1), 'measured');
  steering.restore(decodeSnapshot(encodeSnapshot(snapshot)).knowledge);
  expect(steering.knowledge().shares).toEqual([0.25, 0.25, 0.25, 0.25]);
});
