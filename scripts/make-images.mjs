// npm run images: makes the pictures of the demo brand from their drawings in site/art.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from './run.mjs';

// An operator's own pictures need none of this: one file a picture will do, see the operator's guide.
const PICTURES = [
  { from: 'banner-mobile', as: ['avif', 'webp'] },
  { from: 'banner-desktop', as: ['avif', 'webp'] },
  { from: 'share', as: ['jpeg'] },
];

const ENCODINGS = {
  avif: {
    ending: 'avif',
    encode: (image) => image.avif({ quality: 50, effort: 9, chromaSubsampling: '4:2:0' }),
  },
  webp: { ending: 'webp', encode: (image) => image.webp({ quality: 80, effort: 6 }) },
  jpeg: { ending: 'jpg', encode: (image) => image.jpeg({ quality: 82, mozjpeg: true }) },
};

for (const { from, as } of PICTURES) {
  const drawing = readFileSync(join(ROOT, 'site', 'art', `${from}.svg`));
  for (const { ending, encode } of as.map((name) => ENCODINGS[name])) {
    const file = join('site', 'images', `${from}.${ending}`);
    const bytes = await encode(sharp(drawing)).toBuffer();
    writeFileSync(join(ROOT, file), bytes);
    process.stdout.write(`${file}: ${bytes.length} bytes\n`);
  }
}
