import { expect, test } from 'vitest';
import { cutHour } from './hour-picture.tsx';

test('a picture begins at the first known minute, ends before the one that is not over, and knows its least and its most', () => {
  expect(cutHour([null, null, 4, null, 9, 2, 0])).toEqual({
    start: 2,
    shown: [4, null, 9, 2],
    least: 2,
    most: 9,
  });
  expect(cutHour([0, 0, 5])).toEqual({ start: 0, shown: [0, 0], least: 0, most: 0 });
});

test('without two known minutes that are over there is none', () => {
  for (const values of [[null, null], [3, 5], []]) expect(cutHour(values)).toBeUndefined();
});
