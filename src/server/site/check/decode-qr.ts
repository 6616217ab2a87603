/** Large enough for every QR code, and smaller than a photo. */
const MAX_SIDE_PX = 800;
/** Of the image as it is. A photo from a phone has about half of this. */
const MAX_PIXELS = 24_000_000;
/** The decoder's default is for live video. A single image may take longer. */
const DECODE_TIME_MS = 5_000;

/** Reads every QR code in an image. Empty if there is none. */
export async function decodeQr(image: Uint8Array): Promise<readonly string[]> {
  // Imported here, because only a check needs these two.
  const [{ default: sharp }, { decodeQRBatch }] = await Promise.all([
    import('sharp'),
    import('qr/decode.js'),
  ]);
  try {
    const { data, info } = await sharp(image, { limitInputPixels: MAX_PIXELS })
      .resize({ width: MAX_SIDE_PX, height: MAX_SIDE_PX, fit: 'inside' })
      // The page shows transparent images on white.
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const options = { timeLimit: DECODE_TIME_MS, maxSize: { width: MAX_SIDE_PX, height: MAX_SIDE_PX } };
    const [found = []] = await decodeQRBatch([{ width, height, data: new Uint8Array(data) }], options);
    // An error stands for what looked like a code, and is none.
    return found.filter((text) => typeof text === 'string');
  } catch {
    return []; // It is no image.
  }
}
