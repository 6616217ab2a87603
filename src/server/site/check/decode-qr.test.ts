import { readFile } from 'node:fs/promises';
import encodeQr from 'qr';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { decodeQr } from './decode-qr.ts';

const LINK = 'https://channel.example/official?from=portal';

it('reads an SVG', async () => {
  expect(await decodeQr(Buffer.from(encodeQr(LINK, 'svg')))).toEqual([LINK]);
});

it.each([1, 3, 20])('reads a PNG of %i px a module', async (scale) => {
  expect(await decodeQr(await makePng(scale))).toEqual([LINK]);
});

it('reads a JPEG, and a code on a transparent ground', async () => {
  const png = sharp(await makePng(6));
  expect(await decodeQr(await png.clone().jpeg({ quality: 60 }).toBuffer())).toEqual([LINK]);
  expect(await decodeQr(await png.clone().unflatten().png().toBuffer())).toEqual([LINK]);
});

it('reads every code of an image, because a phone may read any of them', async () => {
  const [left, right] = await Promise.all(
    [LINK, 'https://phishing.example/'].map((link) => makePng(6, link)),
  );
  const both = await sharp({ create: { width: 500, height: 250, channels: 3, background: '#fff' } })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: 250, top: 0 },
    ])
    .png()
    .toBuffer();
  expect((await decodeQr(both)).toSorted()).toEqual([LINK, 'https://phishing.example/']);
});

it('finds nothing in another picture, nor in what is no picture', async () => {
  expect(await decodeQr(await readFile('site/images/logo.svg'))).toEqual([]);
  expect(await decodeQr(Buffer.from('no picture'))).toEqual([]);
});

function makePng(scale: number, link = LINK): Promise<Buffer> {
  const modules = encodeQr(link, 'raw', { border: 4, scale });
  const pixels = Uint8Array.from(modules.flat(), (isDark) => (isDark ? 0 : 255));
  const raw = { width: modules.length, height: modules.length, channels: 1 } as const;
  return sharp(pixels, { raw }).png().toBuffer();
}
