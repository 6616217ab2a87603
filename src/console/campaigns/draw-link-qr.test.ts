import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { QR_LEVELS, drawLinkQr } from './draw-link-qr.ts';

const LINK = 'https://go.example/c/spring-cup-2026';
const LOGO = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30" fill="#0a0f1a"/></svg>').toString('base64')}`;
const SIDE_PX = 600;

async function read(svg: string): Promise<string> {
  const { data } = await sharp(Buffer.from(svg))
    .resize({ width: SIDE_PX, height: SIDE_PX })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQr({ width: SIDE_PX, height: SIDE_PX, data: new Uint8Array(data) }, { timeLimit: 20_000 });
}

test.each(QR_LEVELS)(
  'a decoder reads the link from a code of the level %s, with a logo and without',
  async (level) => {
    for (const logo of ['', LOGO]) {
      expect(await read(drawLinkQr(LINK, level, { colour: '#0a0f1a', logo }))).toBe(LINK);
    }
  },
);

test('the lowest level has no room for a logo', () => {
  const draw = (level: (typeof QR_LEVELS)[number]) =>
    drawLinkQr(LINK, level, { colour: '#000000', logo: LOGO });
  expect(QR_LEVELS.filter((level) => draw(level).includes('<image'))).toEqual(['medium', 'quartile', 'high']);
});
