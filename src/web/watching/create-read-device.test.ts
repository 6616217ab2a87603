import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createReadDevice } from './create-read-device.ts';

/** A page of this width. */
function openPage(widthPx: number): Pick<Window, 'matchMedia'> {
  const matchMedia = (query: string) => {
    const minimumEm = Number(/^\(min-width: (\d+)em\)$/.exec(query)?.[1]);
    return { matches: widthPx >= 16 * minimumEm } as MediaQueryList; // As much of it as is read.
  };
  return { matchMedia };
}

test('a page with letters of 16 px is a desktop’s from 768 px on', () => {
  expect(createReadDevice(openPage(767))()).toBe('mobile');
  expect(createReadDevice(openPage(768))()).toBe('pc');
});

test.each([
  'landing/banner',
  'kit/page/header',
  'landing/downloads/download-links',
  'landing/downloads/download-tabs',
  'landing/lines/line-row',
])('the style of %s has the same breakpoint', async (name) => {
  const style = await readFile(new URL(`../${name}.module.css`, import.meta.url), 'utf8');
  expect([...new Set(style.match(/min-width: \d+\w+/g))]).toEqual(['min-width: 48em']);
});
