import { expect, test } from 'vitest';
import { buildTagUrl } from './load-tag.ts';

test.each([
  ['', 'https://www.googletagmanager.com/gtag/js?id=G-1'],
  ['https://tags.example/t.js?l=zh', 'https://tags.example/t.js?l=zh&id=G-1'],
])('the tag at %j is asked for by its measurement id', (tagUrl, expected) => {
  expect(buildTagUrl({ tagUrl, measurementId: 'G-1' })).toBe(expected);
});
