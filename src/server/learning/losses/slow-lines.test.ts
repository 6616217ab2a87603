import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../engine/testing/create-random.ts';
import { takeSteps } from '../../process/create-step-watch.ts';
import { createGauss } from '../create-gauss.ts';
import { addObservation, createCounts, openVoter } from '../counts.ts';
import { EVERYWHERE } from './places.ts';
import { createPaces, excuseSlowLines, findSlowLine, foldPaces } from './slow-lines.ts';

const WINDOW_MS = 10_000;
const LINES = ['a', 'b', 'c', 'd'];
const NETWORKS = ['SG/AS1', 'SG/AS2', 'SG/AS3', 'GB/AS4', 'GB/AS5', 'DE/AS6'];

type Slowed = { readonly line: string; readonly in: readonly string[]; readonly times: number };

/** Visitors measure four lines again and again: in each window, one of each network measures each line. */
function createVisitors({ spread = 0.4, seed = 1 } = {}) {
  const paces = createPaces();
  const gauss = createGauss(createRandom(seed));
  let now = 0;
  return {
    paces,
    pass: (minutes: number, slowed: readonly Slowed[] = [], networks = NETWORKS) => {
      for (const until = now + minutes * 60_000; now < until;) {
        now += WINDOW_MS;
        const counts = createCounts();
        for (const [index, area] of networks.entries()) {
          for (const line of LINES) {
            const slow = slowed.find((each) => each.line === line && each.in.includes(area));
            const sumLnMs = Math.log(200 * (slow?.times ?? 1)) + spread * gauss();
            const seen = { reached: 1, failed: 0, lost: 0, times: 1, sumLnMs };
            addObservation(openVoter(counts, area, index), line, seen);
          }
        }
        takeSteps(foldPaces(paces, [...counts.areas], now));
      }
    },
    find: (line: string) => findSlowLine(paces, line, now),
    now: () => now,
  };
}

describe('a line that takes three times as long as it did', () => {
  test('in one network is slow there after five minutes, and not before', () => {
    const { pass, find } = createVisitors();
    pass(10);
    const slowed = [{ line: 'a', in: ['SG/AS1'], times: 3 }];
    pass(4.5, slowed);
    expect(find('a')).toBeUndefined();
    pass(1, slowed);
    expect(find('a')).toMatchObject({ places: ['SG/AS1'] });
    expect(find('a')?.times).toBeCloseTo(3, 0);
    pass(3);
    expect(find('a')).toBeUndefined();
  });

  test.each([
    ['a country', ['SG/AS1', 'SG/AS2', 'SG/AS3'], ['SG/']],
    ['everywhere', NETWORKS, []],
    ['a network of each of two countries', ['SG/AS1', 'GB/AS4'], ['SG/AS1', 'GB/AS4']],
  ])('in %s', (_what, networks, places) => {
    const { pass, find } = createVisitors();
    pass(10);
    pass(7, [{ line: 'b', in: networks, times: 3 }]);
    expect(find('b')?.places).toEqual(places);
    expect(['a', 'c', 'd'].map(find)).toEqual([undefined, undefined, undefined]);
  });
});

test.each([
  ['it takes twice as long', [{ line: 'a', in: NETWORKS, times: 2 }]],
  [
    'all lines take three times as long for the visitors of a network: it is their network',
    LINES.map((line) => ({ line, in: ['SG/AS1'], times: 3 })),
  ],
])('no line is slow if %s', (_what, slowed) => {
  const { pass, find } = createVisitors({ spread: 0.3 });
  pass(10);
  pass(20, slowed);
  expect(LINES.map(find)).toEqual([undefined, undefined, undefined, undefined]);
});

test('in six hours with times that spread widely, no line is slow', () => {
  const { pass, find } = createVisitors({ spread: 0.6 });
  for (let hour = 0; hour < 6; hour += 1) {
    pass(60);
    expect(LINES.map(find)).toEqual([undefined, undefined, undefined, undefined]);
  }
});

test('one network of a small site does not make a line slow everywhere', () => {
  const { pass, find } = createVisitors();
  pass(10);
  pass(10, [{ line: 'a', in: ['SG/AS1'], times: 3 }], ['SG/AS1']);
  expect(find('a')?.places).toEqual(['SG/AS1']);
});

test('nobody has measured it for half an hour: it is not known to be slow', () => {
  const { pass, find } = createVisitors();
  pass(10);
  pass(10, [{ line: 'a', in: NETWORKS, times: 3 }]);
  expect(find('a')?.places).toEqual([]);
  pass(31, [], []);
  expect(find('a')).toBeUndefined();
});

test('a few slow times before a line was away for half an hour do not count with those after it', () => {
  const { pass, find } = createVisitors();
  pass(10);
  pass(4, [{ line: 'a', in: NETWORKS, times: 10 }]);
  pass(31, [], []);
  pass(1 / 6);
  expect(find('a')).toBeUndefined();
  pass(6, [{ line: 'a', in: NETWORKS, times: 3 }]);
  expect(find('a')).toMatchObject({ places: [], since: 45 * 60_000 + 20_000 });
});

test('it is over in all places of a country or of the site when it is over there', () => {
  const { pass, find, paces } = createVisitors({ spread: 0.2 });
  pass(10);
  pass(10, [{ line: 'a', in: NETWORKS, times: 3 }]);
  expect(paces.slow.get('a')?.size).toBeGreaterThan(NETWORKS.length);
  pass(10, [], NETWORKS.slice(1));
  expect([find('a'), paces.slow.size]).toEqual([undefined, 0]);
});

test('failures of a line that takes ten times as long are left out, as long as somebody is answered; those of one that takes three times as long count', () => {
  const [network = ''] = NETWORKS;
  const seen = { reached: 1, failed: 2, lost: 2, times: 1, sumLnMs: 6 };
  const countLost = (times: number, waitMinutes: number): number | undefined => {
    const { pass, paces, now } = createVisitors({ spread: 0.2 });
    pass(10);
    pass(3, [{ line: 'a', in: NETWORKS, times }]);
    const at = now() + waitMinutes * 60_000;
    const excused = excuseSlowLines(paces, new Map([[1, new Map([['a', seen]])]]), { area: network, at });
    return excused.get(1)?.get('a')?.lost;
  };
  expect([countLost(10, 2), countLost(10, 4), countLost(3, 2)]).toEqual([0, 2, 2]);
});

test('after a day it takes as long as it takes', () => {
  const { pass, find } = createVisitors({ spread: 0.2 });
  const slowed = [{ line: 'a', in: NETWORKS, times: 3 }];
  const few = ['SG/AS1'];
  pass(10, [], few);
  pass(23 * 60, slowed, few);
  expect(find('a')).toBeDefined();
  pass(2 * 60, slowed, few);
  expect(find('a')).toBeUndefined();
});

test('senders in many networks do not fill the memory', () => {
  const { pass, paces } = createVisitors();
  pass(
    1,
    [],
    Array.from({ length: 13_000 }, (_, index) => `/AS${index}`),
  );
  const sizes = [...paces.lines.values()].map(({ size }) => size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(10_001);
  expect(paces.lines.get('a')?.has(EVERYWHERE)).toBe(false);
});
