import { posix } from 'node:path';
import { listBetterFormats } from '../site/better-formats.ts';

/** An image in other formats, by their paths. Null for a format in which it is not smaller: that file must go. */
export type BetterFormats = ReadonlyMap<string, Buffer | null>;

/** Encoders are slow. Larger images are served as they are. */
const MAX_PIXELS = 4_000_000;
const LIMIT_SECONDS = 10;

/** Makes the formats of an image that browsers may get instead, because they are smaller. */
export async function makeBetterFormats(path: string, bytes: Buffer): Promise<BetterFormats> {
  const made = listBetterFormats(path).map(async (other) => {
    const encoded = posix.extname(path) === '.gif' ? undefined : await encode(bytes, posix.extname(other));
    return [other, encoded !== undefined && encoded.length < bytes.length ? encoded : null] as const;
  });
  return new Map(await Promise.all(made));
}

async function encode(bytes: Buffer, ending: string): Promise<Buffer | undefined> {
  // Imported here, because most servers never need it.
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: LIMIT_SECONDS });
  const encoded = ending === '.avif' ? image.avif({ quality: 50 }) : image.webp({ quality: 80 });
  // It throws for what is too large, too slow or no image. The image itself was checked before.
  return encoded.toBuffer().catch(() => undefined);
}
