import { expect, test } from 'vitest';
import { addReport } from './count-report.ts';
import { createCounts } from './counts.ts';
import { createSteering } from './create-steering.ts';

type Visit = {
  readonly area: string;
  readonly prefix: number;
  readonly line: number;
  readonly timeMs: number;
};

const NOON = Date.UTC(2026, 0, 5, 12);

function createWorld(memory: { readonly maxVotes: number; readonly maxAreas: number }) {
  let now = NOON;
  const steering = createSteering({ random: Math.random, now: () => now, memory });
  steering.setLines(
    Array.from({ length: 8 }, (_, line) => ({ id: `line-${line}`, weight: 1 })),
    'measured',
  );
  return {
    steering,
    fold: (visits: readonly Visit[]): void => {
      const counts = createCounts();
      for (const { area, prefix, line, timeMs } of visits) {
        const results = [{ index: 0, outcome: 'valid', time: timeMs } as const];
        addReport(counts, {
          area,
          prefix: `${area}.${prefix}`,
          lineIds: [`line-${line}`],
          results,
          entered: 0,
        });
      }
      steering.fold(counts, (now += 10_000));
    },
    /** What is believed of a line in an area. */
    timeOf: (area: string, line: number): number => steering.explain(area)[line]?.timeMs ?? 0,
    knows: (area: string): boolean => (steering.knowledge().areas.get(area)?.lines.size ?? 0) > 0,
  };
}

/** Visitors of several prefixes of an area, who all measure the same. */
function visit(area: string, prefixes: number, timeMs: number, line = 0): readonly Visit[] {
  return Array.from({ length: prefixes }, (_, prefix) => ({ area, prefix, line, timeMs }));
}

const listAreas = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, network) => `GB/AS${1_000 + network}`);

test('where a network is as its country, nothing of its own is kept; where it differs, all of it is', () => {
  const { fold, knows, timeOf } = createWorld({ maxVotes: 300, maxAreas: 1_000 });
  for (let window = 0; window < 3; window += 1)
    fold([...listAreas(60).flatMap((area) => visit(area, 6, 100)), ...visit('GB/AS7', 6, 800)]);
  expect(knows('GB/AS7')).toBe(true);
  expect(timeOf('GB/AS7', 0)).toBeGreaterThan(200);
  expect(listAreas(60).filter(knows).length).toBeLessThan(60);
  for (const area of listAreas(60)) expect(timeOf(area, 0)).toBeLessThan(130);
});

test('20,000 made-up networks of one prefix each do not push out what busy networks know', () => {
  const { fold, knows, timeOf, steering } = createWorld({ maxVotes: 2_000, maxAreas: 2_000 });
  const busy = Array.from({ length: 20 }, (_, network) => `SG/AS${network}`);
  for (let window = 0; window < 90; window += 1)
    fold(busy.flatMap((area, network) => visit(area, 12, network % 2 === 0 ? 60 : 600)));
  const before = busy.map((area) => timeOf(area, 0));
  for (let wave = 0; wave < 10; wave += 1) {
    const forged = Array.from({ length: 2_000 }, (_, index) => `/10.${wave}.${index}`);
    fold([...forged.flatMap((area) => visit(area, 1, 20)), ...visit('SG/AS0', 1, 60)]);
  }
  expect(steering.knowledge().areas.size).toBeLessThanOrEqual(2_000);
  for (const [index, area] of busy.entries()) {
    expect(knows(area)).toBe(true);
    // The lies about this line come from everywhere, and still move the estimate of a busy network by less than a fifth.
    expect(Math.abs(timeOf(area, 0) / (before[index] ?? 0) - 1)).toBeLessThan(0.2);
  }
});

test('a network that reports from one prefix again and again is used no more than once in ten minutes', () => {
  const { fold, steering } = createWorld({ maxVotes: 1_000, maxAreas: 1_000 });
  for (let window = 0; window < 59; window += 1) fold(visit('GB/AS1', 1, 100));
  expect(steering.knowledge().areas.get('GB/AS1')?.use).toBe(1);
  fold(visit('GB/AS1', 1, 100));
  expect(steering.knowledge().areas.get('GB/AS1')?.use).toBe(2);
  // Half of it is left after an hour.
  for (let window = 0; window < 300; window += 1) fold(visit('GB/AS2', 1, 100));
  expect(steering.knowledge().areas.get('GB/AS1')?.use).toBe(1);
});
