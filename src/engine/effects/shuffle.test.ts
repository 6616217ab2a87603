import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shuffle } from './shuffle.ts';
import { createRandom } from '../testing/create-random.ts';

describe('shuffle', () => {
  test('gives every order of four equally often (chi-square)', () => {
    const random = createRandom(7);
    const counts = new Map<string, number>();
    const runs = 48_000;
    for (let run = 0; run < runs; run += 1) {
      const order = shuffle(['a', 'b', 'c', 'd'], random).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    const expected = runs / 24;
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    // 49.73 is the 99.9 % quantile of chi-square with 23 degrees of freedom.
    expect(chiSquare).toBeLessThan(49.73);
  });

  test('keeps every item and leaves the list as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const before = [...items];
        const byValue = (a: number, b: number) => a - b;
        expect(shuffle(items, createRandom(seed)).toSorted(byValue)).toEqual(items.toSorted(byValue));
        expect(items).toEqual(before);
      }),
    );
  });
});
