import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSteering } from './create-steering.ts';
import { countReport } from './count-report.ts';
import { addCounts, createCounts, openTally } from './counts.ts';
import { createHistory } from './create-history.ts';
import { EVERYWHERE } from './losses/places.ts';
import { createPace } from './losses/slow-lines.ts';
import type { Knowledge } from './knowledge.ts';
import { takeSteps } from '../process/create-step-watch.ts';
import { packSnapshot, unpackSnapshot } from './snapshot-file.ts';
import { type Snapshot, decodeSnapshot, encodeSnapshot } from './snapshot.ts';
import { sumVotes } from './view.ts';

const LINES = ['line-a', 'line-b', 'line-c', 'line-d', 'line-e'].map((id) => ({ id, weight: 1 }));
const AREA = 'GB/AS1';
const NOW = 1_700_000_000_000;

const encode = (snapshot: Snapshot): Buffer => takeSteps(encodeSnapshot(snapshot));
const decode = (bytes: Buffer): Snapshot => takeSteps(decodeSnapshot(bytes));

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

/** What is known of each line in each area, without the rows of its votes. */
function listRecords({ areas }: Knowledge) {
  return [...areas].map(([area, view]) => ({
    area,
    seen: { at: view.at, use: view.use, usedIn: view.usedIn, usedBy: view.usedBy },
    lines: [...view.lines.keys()].map((lineId) => [lineId, sumVotes(view, lineId, view.at)]),
  }));
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
  const packed = await packSnapshot(encode(snapshot));
  expect(packed.length).toBeLessThan(4_000_000);
  // Compared as bytes: a test runner takes minutes to compare eleven million numbers.
  expect(encode(decode(await unpackSnapshot(packed))).equals(encode(snapshot))).toBe(true);
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
  restored.restore(decode(encode({ ...createSnapshot(), history: history.save() })).history);
  expect(restored.sumArrivals(NOW, 60)).toEqual({ reports: 40, stranded: 9, strandedOfOneVoter: 6 });
  expect(restored.sumArrivals(NOW, 360)).toEqual({ reports: 80, stranded: 18, strandedOfOneVoter: 6 });
});

test('is read as it was written', () => {
  const snapshot = createSnapshot();
  const { paces } = snapshot.knowledge.losses;
  const pace = {
    ...createPace(NOW),
    sum: 14,
    since: NOW - 400_000,
    visitors: 9,
    slowSum: 10.5,
    isSlow: true,
  };
  paces.lines.get('line-a')?.set(EVERYWHERE, { ...pace, slowIn: new Map([[AREA, 9]]) });
  paces.slow.set('line-a', new Set([EVERYWHERE]));
  const read = decode(encode(snapshot));
  expect(encode(read).equals(encode(snapshot))).toBe(true);
  expect(read.history).toEqual(snapshot.history);
  expect(read.knowledge.losses).toEqual(snapshot.knowledge.losses);
  expect(listRecords(read.knowledge)).toEqual(listRecords(snapshot.knowledge));
});

describe('a damaged one is refused', () => {
  const bytes = encode(createSnapshot());

  test('whichever byte was changed', () => {
    const places = fc.nat({ max: bytes.length - 1 });
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 255 }), (place, change) => {
        const damaged = Buffer.from(bytes);
        damaged[place] = (damaged[place] ?? 0) ^ change;
        expect(() => decode(damaged)).toThrow(Error);
      }),
      { numRuns: 300 },
    );
  });

  test('wherever it was cut, and when something follows it', () => {
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), (length) => {
        expect(() => decode(bytes.subarray(0, length))).toThrow(Error);
      }),
    );
    expect(() => decode(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(Error);
  });
});

test.each([Number.NaN, Infinity, -Infinity, -1, 1e300])('a number such as %d is refused', (number) => {
  for (const spoil of [
    (knowledge: Knowledge) => (knowledge.shares = [number, ...knowledge.shares.slice(1)]),
    ({ widerVotes }: Knowledge) => (widerVotes.columns().reached[0] = number),
    ({ areaVotes }: Knowledge) => (areaVotes.columns().sumLnMs[0] = number),
    ({ areas }: Knowledge) => ((areas.get(AREA) ?? { at: 0 }).at = number),
    ({ areas }: Knowledge) => ((areas.get(AREA) ?? { use: 0 }).use = number),
    (knowledge: Knowledge) => (evidenceOf(knowledge).since = number),
  ]) {
    const snapshot = createSnapshot();
    spoil(snapshot.knowledge);
    expect(() => decode(encode(snapshot))).toThrow('holds a number');
  }
  expect(() => decode(encode({ ...createSnapshot(), seq: number }))).toThrow('header');
});

test('whatever numbers it holds, the steering goes on with finite ones, and picks four lines', () => {
  const numbers = fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }), fc.constant(0));
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 8, maxLength: 8 }), (given) => {
      const snapshot = createSnapshot();
      const { knowledge } = snapshot;
      const [share = 0, reached = 0, ...ofArea] = given;
      knowledge.shares = [share, ...knowledge.shares.slice(1)];
      knowledge.widerVotes.columns().reached[0] = reached;
      const [failed = 0, lost = 0, times = 0, sumLnMs = 0, at = 0, sum = 0] = ofArea;
      const votes = knowledge.areaVotes.columns();
      for (const [column, number] of [
        [votes.failed, failed],
        [votes.lost, lost],
        [votes.times, times],
        [votes.sumLnMs, sumLnMs],
        [votes.at, at],
      ] as const)
        column[0] = number;
      Object.assign(evidenceOf(knowledge), { sum });
      const steering = createTaught();
      try {
        steering.restore(decode(encode(snapshot)).knowledge);
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
  steering.restore(decode(encode(snapshot)).knowledge);
  expect(steering.knowledge().shares).toEqual([0.25, 0.25, 0.25, 0.25]);
});
