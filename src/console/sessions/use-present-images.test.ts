import { expect, test } from 'vitest';
import { listImages } from './use-present-images.ts';

test('the images of a recording are found in attributes, lists of sources and styles, each once', () => {
  const events = [
    { type: 2, timestamp: 1, data: { src: 'https://brand.example/site/images/a.0123456789.webp' } },
    { type: 2, timestamp: 1, data: { srcset: 'https://brand.example/site/b.avif 1x, /site/c.avif 2x' } },
    { type: 2, timestamp: 1, data: { style: 'a { background: url("https://brand.example/site/b.avif"); }' } },
  ];
  expect(listImages(events)).toEqual(['/site/images/a.0123456789.webp', '/site/b.avif', '/site/c.avif']);
  expect(listImages([])).toEqual([]);
});
