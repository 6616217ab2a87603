import { expect, test } from 'vitest';
import { drawSparkline } from './sparkline.tsx';

const SIZE = { width: 103, height: 23, top: 100 };

test('a line goes through what is known, and breaks where nothing is', () => {
  expect(drawSparkline([100, 0, null, 50, 50], SIZE)).toEqual({
    area: 'M2 23L2 2L26.8 21V23zM76.3 23L76.3 11.5L101 11.5V23z',
    line: 'M2 2L26.8 21M76.3 11.5L101 11.5',
    dots: '',
  });
});

test('one minute alone is a dot, and none is nothing', () => {
  expect(drawSparkline([null, 50, null], SIZE)).toEqual({ area: '', line: '', dots: 'M51.5 11.5h.01' });
  expect(drawSparkline([null, null], SIZE)).toEqual({ area: '', line: '', dots: '' });
});

test('what is above the top stays inside the picture', () => {
  expect(drawSparkline([500, 100], SIZE)).toMatchObject({ line: 'M2 2L101 2', dots: '' });
});
