import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readImageSize } from './read-image-size.ts';

describe('readImageSize', () => {
  const picture = sharp({ create: { width: 37, height: 21, channels: 3, background: '#e0b34c' } });

  test.each([
    ['PNG', () => picture.clone().png()],
    ['JPEG', () => picture.clone().jpeg()],
    ['GIF', () => picture.clone().gif()],
    ['WebP', () => picture.clone().webp()],
    ['lossless WebP', () => picture.clone().webp({ lossless: true })],
    ['WebP with a profile', () => picture.clone().webp().keepIccProfile().withMetadata()],
    ['AVIF', () => picture.clone().avif()],
  ])('reads the size of a %s file', async (_, encode) => {
    expect(readImageSize(await encode().toBuffer())).toEqual({ width: 37, height: 21 });
  });

  test.each([
    [
      'by its attributes',
      '<svg xmlns="http://www.w3.org/2000/svg" width="37" height="21px" viewBox="0 0 1 1"/>',
    ],
    ['by attributes in single quotes', `<svg xmlns='http://www.w3.org/2000/svg' width='37' height = '21'/>`],
    ['in other units', '<svg xmlns="http://www.w3.org/2000/svg" width="27.75pt" height="2.1e1"/>'],
    [
      'by one side and its view box',
      '<svg xmlns="http://www.w3.org/2000/svg" width="37" viewBox="0 0 74 42"/>',
    ],
    [
      'after a long comment',
      `<!-- ${'<svg width="9" height="9">'.repeat(500)} --><svg width="37" height="21"/>`,
    ],
    ['by its view box', '<?xml version="1.0"?><svg viewBox="0 0 37 21" xmlns="http://www.w3.org/2000/svg"/>'],
  ])('reads the size of a drawing %s', (_, svg) => {
    expect(readImageSize(Buffer.from(svg))).toEqual({ width: 37, height: 21 });
  });

  test('takes the largest size that an AVIF file names, and skips what may stand before a marker of a JPEG file', async () => {
    const avif = await picture.clone().avif().toBuffer();
    const small = Buffer.from('ispe\0\0\0\0\0\0\0\x01\0\0\0\x01', 'latin1');
    const mixed = Buffer.concat([avif.subarray(0, 12), small, avif.subarray(12)]);
    expect(readImageSize(mixed)).toEqual({ width: 37, height: 21 });
    const jpeg = await picture.clone().jpeg().toBuffer();
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.of(0xff, 0xff, 0xff), jpeg.subarray(2)]);
    expect(readImageSize(filled)).toEqual({ width: 37, height: 21 });
  });

  test('does not know the size of anything else, however it is cut off', async () => {
    const jpeg = await picture.clone().jpeg().toBuffer();
    expect(readImageSize(Buffer.of())).toBeUndefined();
    expect(readImageSize(jpeg.subarray(0, 30))).toBeUndefined();
    expect(readImageSize(Buffer.from('plain text'))).toBeUndefined();
  });
});
