import { expect, test } from 'vitest';
import { writeHex } from './read-colours.ts';

test.each([
  ['rgb(179, 32, 31)', '#b3201f'],
  ['rgb(0, 0, 0)', '#000000'],
  ['rgba(255, 255, 255, 1)', '#ffffff'],
])('%s is %s', (colour, hex) => {
  expect(writeHex(colour)).toBe(hex);
});
