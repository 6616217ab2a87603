import { expect, test } from 'vitest';
import { createTag } from './create-landing-data.ts';

test.each([
  ['', 'https://www.googletagmanager.com/gtag/js?id=G-1'],
  ['https://tags.example/t.js?l=zh', 'https://tags.example/t.js?l=zh&id=G-1'],
])('the tag at %j is asked for by its measurement id', (tagUrl, url) => {
  expect(createTag({ tagUrl, measurementId: 'G-1' })).toEqual({ url, measurementId: 'G-1' });
});

test('without a measurement id there is no tag', () => {
  expect(createTag({ tagUrl: 'https://tags.example/t.js', measurementId: '' })).toBeUndefined();
});
