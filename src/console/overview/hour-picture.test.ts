import { expect, test } from 'vitest';
import { cutStart } from './hour-picture.tsx';

test('a picture begins at the first known minute, and knows its least and its most', () => {
  expect(cutStart([null, null, 4, null, 9, 2])).toEqual({
    start: 2,
    shown: [4, null, 9, 2],
    least: 2,
    most: 9,
  });
  expect(cutStart([0])).toEqual({ start: 0, shown: [0], least: 0, most: 0 });
});

test('without a known minute there is none', () => {
  expect(cutStart([null, null])).toBeUndefined();
  expect(cutStart([])).toBeUndefined();
});
