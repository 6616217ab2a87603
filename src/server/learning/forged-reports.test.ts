import { describe, expect, test } from 'vitest';
import { measureAttacks } from '../../../bench/steering/measure-attack.ts';
import { countReport } from './count-report.ts';
import { addCounts, createCounts } from './counts.ts';
import { createSteering } from './create-steering.ts';

const LINES = Array.from({ length: 6 }, (_, index) => ({ id: `line-${index}`, weight: 1 }));
const REACHED = { index: 0, outcome: 'valid', time: 100 } as const;
const LOST = { index: 0, outcome: 'timeout', time: 99_999 } as const;
const AREA = 'GB/198.51';
const NEIGHBOUR = 'GB/203.0';

/** What visitors of an area report of the first line, one of each prefix, window by window. */
function learn(
  reports: readonly { readonly area: string; readonly prefix: string; readonly isReached: boolean }[][],
) {
  let time = 0;
  const steering = createSteering({ random: Math.random, now: () => time });
  steering.setLines(LINES, 'measured');
  for (const window of reports) {
    const counts = createCounts();
    for (const { area, prefix, isReached } of window) {
      const result = isReached ? REACHED : LOST;
      addCounts(counts, countReport({ area, prefix, lineIds: ['line-0'], results: [result], entered: null }));
    }
    steering.fold(counts, (time += 10_000));
  }
  return (area: string) => steering.explain(area)[0]?.reach ?? 0;
}

const honest = (area: string, prefixes: number) =>
  Array.from({ length: prefixes }, (_, prefix) => ({ area, prefix: `${area}.${prefix}`, isReached: true }));
const forged = (times: number) =>
  Array.from({ length: times }, () => ({ area: AREA, prefix: '198.51.100', isReached: false }));

describe('what one prefix can do to a line', () => {
  test('is one voice among those of its network, however often it lies', () => {
    const before = learn([honest(AREA, 60)])(AREA);
    expect(before).toBeGreaterThan(0.95);
    const lies = Array.from({ length: 10 }, () => forged(1));
    // One voter of 24, beside a view of everyone's that weighs eight.
    expect(learn([honest(AREA, 60), ...lies])(AREA)).toBeGreaterThan(before - 0.04);
    expect(learn([honest(AREA, 60), forged(10)])(AREA)).toBeGreaterThan(before - 0.04);
  });

  test('is one observation against eight where nobody else reports', () => {
    const before = learn([])(AREA);
    expect(before).toBeCloseTo(0.9);
    // Three views, its network's, its country's and everyone's, hear of it.
    expect(learn([forged(4)])(AREA)).toBeGreaterThan(0.62);
    expect(learn([forged(4)])(AREA)).toBeCloseTo(
      learn([forged(1), forged(1), forged(1), forged(1)])(AREA),
      2,
    );
  });

  test('is next to nothing in other networks', () => {
    const world = [...honest(AREA, 60), ...honest(NEIGHBOUR, 60)];
    const before = learn([world])(NEIGHBOUR);
    const after = learn([world, ...Array.from({ length: 10 }, () => forged(1))])(NEIGHBOUR);
    expect(Math.abs(after - before)).toBeLessThan(0.005);
  });

  test('moves neither the mean nor any share by two percent in a small world, up or down', () => {
    const { down, up } = measureAttacks({
      seed: 1,
      network: 5,
      lines: 20,
      visitorsPerHour: 40_000,
      warmUpMinutes: 5,
      minutes: 5,
    });
    for (const { meanMoved, shareMoved, ownEntries } of [down, up]) {
      expect(meanMoved).toBeLessThan(0.02);
      expect(shareMoved).toBeLessThan(0.02);
      expect(ownEntries.attacked).toBeGreaterThan(ownEntries.before / 2);
    }
  });
});
