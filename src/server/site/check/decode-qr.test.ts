import { readFile } from 'node:fs/promises';
import encodeQr from 'qr';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { decodeQr } from './decode-qr.ts';

const LINK = 'https://channel.example/official?from=portal';

it('reads an SVG', async () => {
  expect(await decodeQr(Buffer.from(encodeQr(LINK, 'svg')))).toBe(LINK);
});

it.each([1, 3, 20])('reads a PNG of %i px a module', async (scale) => {
  expect(await decodeQr(await makePng(scale))).toBe(LINK);
});

it('reads a JPEG, and a code on a transparent ground', async () => {
  const png = sharp(await makePng(6));
  expect(await decodeQr(await png.clone().jpeg({ quality: 60 }).toBuffer())).toBe(LINK);
  expect(await decodeQr(await png.clone().unflatten().png().toBuffer())).toBe(LINK);
});

it('finds nothing in another picture, nor in what is no picture', async () => {
  expect(await decodeQr(await readFile('site/images/logo.svg'))).toBeUndefined();
  expect(await decodeQr(Buffer.from('no picture'))).toBeUndefined();
});

function makePng(scale: number): Promise<Buffer> {
  const modules = encodeQr(LINK, 'raw', { border: 4, scale });
  const pixels = Uint8Array.from(modules.flat(), (isDark) => (isDark ? 0 : 255));
  const raw = { width: modules.length, height: modules.length, channels: 1 } as const;
  return sharp(pixels, { raw }).png().toBuffer();
}
