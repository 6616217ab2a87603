import { expect, test } from 'vitest';
import { drawBars, drawFlows, drawOutline, findNiceTop, listTicks } from './draw-funnel.ts';

test.each([
  [0, 1],
  [1, 1],
  [12, 15],
  [21, 25],
  [26, 30],
  [99, 100],
  [12_480, 15_000],
])('an axis up to %d ends at %d', (most, top) => {
  expect(findNiceTop(most)).toBe(top);
});

test('an axis of whole visits has no number with a fraction', () => {
  expect([listTicks(500), listTicks(15), listTicks(1)]).toEqual([
    [500, 250, 0],
    [15, 0],
    [1, 0],
  ]);
});

test('a step has a bar of its height, and what flows on falls to the next one', () => {
  expect(drawBars([1, 0.5])).toBe('M10 100V0H40V100ZM60 100V50H90V100Z');
  expect(drawFlows([1, 0.5])).toBe('M40 100V0L60 50V100Z');
});

test('the period before is one line above both, or none if nothing was counted', () => {
  expect(drawOutline([0.8, 0.4])).toBe('M10 100V20H40L60 60H90V100');
  expect(drawOutline([0, 0])).toBe('');
});
