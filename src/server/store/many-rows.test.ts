import { expect, test } from 'vitest';
import { inBatches } from './many-rows.ts';

test.each([
  [1, 1_000],
  [3, 333],
  [18, 55],
])(
  'lists of any length, with %i values in each item, make few different statements',
  (valuesOfEach, most) => {
    const lengths = new Set<number>();
    const wrong: number[] = [];
    for (let length = 0; length <= 2 * most + 1; length += 1) {
      const items = Array.from({ length }, (_, index) => index);
      const batches = inBatches(items, valuesOfEach);
      const isWhole = batches.flat().join() === items.join();
      if (!isWhole || batches.length > Math.ceil(length / most) + 1) wrong.push(length);
      for (const batch of batches) lengths.add(batch.length);
    }
    expect(wrong).toEqual([]);
    expect(Math.max(...lengths)).toBe(most);
    expect(lengths.size).toBeLessThanOrEqual(80);
  },
);
