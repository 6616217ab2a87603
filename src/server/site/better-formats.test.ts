import { expect, test } from 'vitest';
import { listBetterFormats } from './better-formats.ts';

test.each([
  ['images/banner.jpg', ['images/banner.avif', 'images/banner.webp']],
  ['images/banner.webp', ['images/banner.avif']],
  ['images/banner.avif', []],
  ['images/logo.svg', []],
])('offers in the place of %s: %j', (path, better) => {
  expect(listBetterFormats(path)).toEqual(better);
});
