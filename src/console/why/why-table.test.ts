import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundChances } from './why-table.tsx';

test('the chances of four places add up to 400 percent', () => {
  const chances = [1, 1, 1, 0.155, 0.1375, 0.13, 0.09, 0.13, 0.135, 0.1, 0.1225];
  expect(roundChances(chances)).toEqual([100, 100, 100, 16, 14, 13, 9, 13, 13, 10, 12]);
});

test('each is at most one percent off, and what nobody is handed stays at 0', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 60 }), (picks) => {
      const rounded = roundChances(picks.map((count) => count / 400));
      const sum = picks.reduce((all, count) => all + count, 0) / 4;
      expect(rounded.reduce((all, percent) => all + percent, 0)).toBe(Math.round(sum));
      for (const [index, count] of picks.entries()) {
        expect(Math.abs((rounded[index] ?? 0) - count / 4)).toBeLessThan(1);
        if (count === 0) expect(rounded[index]).toBe(0);
      }
    }),
  );
});
