import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { countReport } from './count-report.ts';
import { addCounts, addVisits, createCounts, openTally } from './counts.ts';
import { type Steering, createSteering } from './create-steering.ts';

const AREA = 'GB/198.51';
const REACHED = { index: 0, outcome: 'valid', time: 100 } as const;

type World = { readonly steering: Steering; readonly clock: { now: number } };

function openWorld(lines: number, seed = 1): World {
  const clock = { now: 0 };
  const steering = createSteering({ random: createRandom(seed), now: () => clock.now });
  steering.setLines(
    Array.from({ length: lines }, (_, index) => ({ id: `line-${index}`, weight: 1 })),
    'measured',
  );
  return { steering, clock };
}

const downIds = (...lines: readonly number[]) => new Set(lines.map((line) => `line-${line}`));

/** Visitors of these prefixes reach a line, and the window ends. */
function reach({ steering, clock }: World, line: number, prefixes: readonly string[]): void {
  const counts = createCounts();
  for (const prefix of prefixes) {
    const report = { area: AREA, prefix, lineIds: [`line-${line}`], results: [REACHED], entered: null };
    addCounts(counts, countReport(report));
  }
  steering.fold(counts, (clock.now += 10_000));
}

describe('a line that a visitor has just failed to reach', () => {
  const fail = ({ steering, clock }: World, line: number): void => {
    const results = [{ index: 0, outcome: 'timeout', time: 99_999 } as const];
    const report = { area: AREA, prefix: '198.51.1', lineIds: [`line-${line}`], results, entered: null };
    steering.fold(countReport(report), (clock.now += 10_000));
  };

  const pickMany = ({ steering }: World, limits = {}) =>
    Array.from({ length: 40 }, () => steering.pick(AREA, limits));
  const countOf = (line: number, picks: readonly (readonly number[])[]) =>
    picks.filter((picked) => picked.includes(line)).length;

  test('is the wildcard of the next visitors there, but of nobody who may not have it', () => {
    const world = openWorld(40);
    fail(world, 7);
    for (let visitor = 0; visitor < 12; visitor += 1) {
      expect(world.steering.pick(AREA)).toContain(7);
      expect(world.steering.pick(AREA, { excluded: new Set([7]) })).not.toContain(7);
    }
    expect(world.steering.pick(AREA)).toHaveLength(4);
  });

  test('waits for those who may have it, and lets them try other lines in doubt meanwhile', () => {
    const world = openWorld(40);
    fail(world, 7);
    fail(world, 8);
    expect(countOf(8, pickMany(world, { excluded: new Set([7]) }))).toBeGreaterThanOrEqual(24);
    expect(countOf(7, pickMany(world))).toBeGreaterThanOrEqual(24);
  });

  test('waits while it is not on the list, and is asked for again when it is back', () => {
    const world = openWorld(40);
    fail(world, 7);
    const all = Array.from({ length: 40 }, (_, index) => ({ id: `line-${index}`, weight: 1 }));
    world.steering.setLines(all.slice(20), 'measured');
    pickMany(world);
    world.steering.setLines(all, 'measured');
    expect(countOf(7, pickMany(world))).toBeGreaterThanOrEqual(24);
  });

  test('is handed to as many visitors as before, however often the console draws', () => {
    const world = openWorld(40);
    fail(world, 7);
    const draws = Array.from({ length: 400 }, () => world.steering.draw(AREA));
    expect(countOf(7, draws)).toBeLessThan(40);
    expect(countOf(7, pickMany(world))).toBeGreaterThanOrEqual(24);
  });

  test('is handed to nobody while the server sees it down', () => {
    const world = openWorld(40);
    fail(world, 7);
    world.steering.setDown(downIds(7));
    for (let visitor = 0; visitor < 12; visitor += 1) expect(world.steering.pick(AREA)).not.toContain(7);
  });
});

describe('a line that the server sees down', () => {
  test('is left out although fewer than four remain', () => {
    const { steering } = openWorld(4);
    steering.setDown(downIds(1, 3));
    expect(steering.pick(AREA)).toEqual([0, 2]);
    steering.setDown(downIds());
    expect(steering.pick(AREA)).toEqual([0, 1, 2, 3]);
  });

  test('is kept where none would be left', () => {
    const { steering } = openWorld(3);
    steering.setDown(downIds(0, 1, 2));
    expect(steering.pick(AREA)).toEqual([0, 1, 2]);
  });

  test('is kept for two minutes after visitors of two prefixes have reached it, and no longer', () => {
    const world = openWorld(4);
    reach(world, 1, ['198.51.1', '198.51.2', '198.51.3']);
    world.steering.setDown(downIds(1));
    world.clock.now += 119_999;
    expect(world.steering.pick(AREA)).toContain(1);
    world.clock.now += 1;
    expect(world.steering.pick(AREA)).toEqual([0, 2, 3]);
  });

  test('is not kept by one prefix, however often it says that it reaches it', () => {
    const world = openWorld(4);
    for (let window = 0; window < 10; window += 1) reach(world, 1, ['198.51.1', '198.51.1']);
    world.steering.setDown(downIds(1));
    expect(world.steering.pick(AREA)).toEqual([0, 2, 3]);
  });

  test('is not kept where its application is dead: visitors reach its speed check only', () => {
    const world = openWorld(4);
    reach(world, 1, ['198.51.1', '198.51.2', '198.51.3']);
    reach(world, 2, ['198.51.1', '198.51.2', '198.51.3']);
    world.steering.setDown(downIds(1, 2), downIds(1));
    expect(world.steering.pick(AREA)).toEqual([0, 2, 3]);
    world.steering.setDown(downIds(0, 1, 2, 3), downIds(0, 1, 2, 3));
    expect(world.steering.pick(AREA)).toEqual([0, 1, 2, 3]);
  });

  test('is not handed out by weight alone, either', () => {
    const { steering } = openWorld(4);
    steering.setLines(
      ['a', 'b', 'c'].map((id) => ({ id, weight: 1 })),
      'uniform',
    );
    steering.setDown(new Set(['b']));
    expect(steering.pick(AREA)).toEqual([0, 2]);
  });
});

describe('every pick', () => {
  const world = fc.record({
    lines: fc.integer({ min: 1, max: 30 }),
    down: fc.uniqueArray(fc.integer({ min: 0, max: 29 }), { maxLength: 30 }),
    reached: fc.uniqueArray(fc.integer({ min: 0, max: 29 }), { maxLength: 5 }),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  });

  test('has different lines, four if there are four, and none that is down and not reached', () => {
    fc.assert(
      fc.property(world, ({ lines, down, reached, seed }) => {
        const opened = openWorld(lines, seed);
        for (const line of reached) reach(opened, line, ['198.51.1', '198.51.2', '198.51.3']);
        opened.steering.setDown(downIds(...down));
        const all = Array.from({ length: lines }, (_, line) => line);
        const kept = all.filter((line) => !down.includes(line) || reached.includes(line));
        const allowed = kept.length === 0 ? all : kept;
        const picked = opened.steering.pick(AREA);
        expect(picked.filter((line) => !allowed.includes(line))).toEqual([]);
        expect(new Set(picked).size).toBe(Math.min(4, allowed.length));
        expect(picked).toHaveLength(Math.min(4, allowed.length));
      }),
    );
  });

  test('is the same with the same luck', () => {
    fc.assert(
      fc.property(world, ({ lines, down, seed }) => {
        const picks = [1, 2].map(() => {
          const { steering } = openWorld(lines, seed);
          steering.setDown(downIds(...down));
          return Array.from({ length: 5 }, () => steering.pick(AREA));
        });
        expect(picks[0]).toEqual(picks[1]);
      }),
    );
  });

  test('is shared out as one visit: parts above zero that sum to one', () => {
    fc.assert(
      fc.property(world, ({ lines, reached, seed }) => {
        const opened = openWorld(lines, seed);
        for (const line of reached) reach(opened, line, ['198.51.1', '198.51.2']);
        const parts = opened.steering.shareOut(AREA, opened.steering.pick(AREA));
        expect(Math.min(...parts)).toBeGreaterThan(0);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1);
      }),
    );
  });
});

describe('load', () => {
  /** Everybody is of one area, and one line is by far the fastest; visits are counted as they are handed out. */
  function handOut({ steering, clock }: World, visits: number, count: 'handed-out' | 'entered'): number {
    let fastest = 0;
    for (let visit = 0; visit < visits; visit += 20) {
      const counts = createCounts();
      for (let each = 0; each < 20; each += 1) {
        const picked = steering.pick(AREA);
        if (picked.includes(0)) fastest += 1;
        const lineIds = picked.map((line) => `line-${line}`);
        const results = picked.map((line, index) => ({ ...REACHED, index, time: line === 0 ? 20 : 400 }));
        const entered = Math.max(0, picked.indexOf(0));
        addCounts(counts, countReport({ area: AREA, prefix: `198.51.${each}`, lineIds, results, entered }));
        if (count === 'entered') continue;
        for (const [place, part] of steering.shareOut(AREA, picked).entries()) {
          addVisits(openTally(counts, lineIds[place] ?? ''), part);
        }
      }
      steering.fold(counts, (clock.now += 10_000));
    }
    return fastest / visits;
  }

  test('is what was handed out: the fastest line is spared when it has its part', () => {
    expect(handOut(openWorld(10), 2_000, 'handed-out')).toBeLessThan(0.5);
  });

  test('is not what reports say was entered', () => {
    const world = openWorld(10);
    expect(handOut(world, 2_000, 'entered')).toBeGreaterThan(0.95);
    expect(world.steering.explain(AREA)[0]?.loadFactor).toBe(1);
  });
});

test('lines that are down are a last resort only if all are down, and nobody reaches any', () => {
  const { steering, clock } = openWorld(3);
  const isLastResort = () => steering.explain(AREA).map((score) => score.isLastResort);
  const all = new Set(['line-0', 'line-1', 'line-2']);
  steering.setDown(new Set(['line-0', 'line-1']));
  expect(isLastResort()).toEqual([false, false, false]);
  steering.setDown(all);
  expect(isLastResort()).toEqual([true, true, true]);
  const lineIds = [...all];
  const results = [{ ...REACHED, index: 0, time: 80 }];
  const counts = createCounts();
  for (const prefix of ['198.51.1', '198.51.2', '198.51.3'])
    addCounts(counts, countReport({ area: AREA, prefix, lineIds, results, entered: 0 }));
  steering.fold(counts, (clock.now += 10_000));
  expect(isLastResort()).toEqual([false, false, false]);
});
