import { posix } from 'node:path';
import { listBetterFormats } from '../site/better-formats.ts';

/** An image in other formats, by their paths. Null for a format in which it is not smaller: that file must go. */
export type BetterFormats = ReadonlyMap<string, Buffer | null>;

/** Encoders are slow. Larger images are served as they are. */
const MAX_PIXELS = 4_000_000;
/** Of 0 to 9. At 4, which is usual, four million pixels of noise take 25 s, and at 2 they take 4 s. */
const AVIF_EFFORT = 2;

/** Makes the formats of an image that browsers may get instead, because they are smaller. */
export async function makeBetterFormats(path: string, bytes: Buffer): Promise<BetterFormats> {
  const made = new Map<string, Buffer | null>();
  // One after the other: an encoder takes 200 MB for four million pixels.
  for (const other of listBetterFormats(path)) {
    const encoded = posix.extname(path) === '.gif' ? undefined : await encode(bytes, posix.extname(other));
    made.set(other, encoded !== undefined && encoded.length < bytes.length ? encoded : null);
  }
  return made;
}

async function encode(bytes: Buffer, ending: string): Promise<Buffer | undefined> {
  // Imported here, because most servers never need it.
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS });
  const encoded =
    ending === '.avif' ? image.avif({ quality: 50, effort: AVIF_EFFORT }) : image.webp({ quality: 80 });
  // It throws for what is too large or no image. The image itself was checked before.
  return encoded.toBuffer().catch(() => undefined);
}
