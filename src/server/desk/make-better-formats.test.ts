import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makeBetterFormats } from './make-better-formats.ts';

/** A picture of soft colours, as a PNG, which is large. */
function paint(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * at) % 251;
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .blur(2)
    .png()
    .toBuffer();
}

describe('the better formats of an image', () => {
  test('are made beside a PNG, and are what their names say', async () => {
    const png = await paint(200, 100);
    const made = await makeBetterFormats('images/promo.png', png);
    expect([...made.keys()]).toEqual(['images/promo.avif', 'images/promo.webp']);
    for (const [path, bytes] of made) {
      const { format, width, height } = await sharp(bytes ?? Buffer.alloc(0)).metadata();
      expect([width, height, bytes?.length]).toEqual([200, 100, expect.any(Number)]);
      expect(path).toMatch(format === 'webp' ? /\.webp$/ : /\.avif$/);
      expect(bytes?.length).toBeLessThan(png.length);
    }
  });

  test('are only those that are better than its own', async () => {
    expect((await makeBetterFormats('images/logo.svg', Buffer.from('<svg/>'))).size).toBe(0);
    const webp = await sharp(await paint(50, 50))
      .webp()
      .toBuffer();
    expect([...(await makeBetterFormats('images/a.webp', webp)).keys()]).toEqual(['images/a.avif']);
    const tiny = await sharp(await paint(8, 8))
      .webp({ quality: 1 })
      .toBuffer();
    expect([...(await makeBetterFormats('images/a.webp', tiny))]).toEqual([['images/a.avif', null]]);
  });

  test.each([
    [
      'one that moves',
      async () =>
        sharp(await paint(100, 100))
          .gif()
          .toBuffer(),
      'a.gif',
    ],
    ['one with more than four million pixels', () => paint(2_001, 2_000), 'a.png'],
    ['what cannot be read', async () => Buffer.from('no image'.repeat(1_000)), 'a.jpg'],
  ])('of %s are removed', async (_, makeImage, path) => {
    const made = await makeBetterFormats(path, await makeImage());
    expect([...made]).toEqual([
      ['a.avif', null],
      ['a.webp', null],
    ]);
  });
});
