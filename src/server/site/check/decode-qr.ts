/** Large enough for every QR code, and smaller than a photo. */
const MAX_SIDE_PX = 800;
/** The decoder's default is for live video. A single image may take longer. */
const DECODE_TIME_MS = 5_000;

/** Reads the QR code in an image. Undefined if there is none. */
export async function decodeQr(image: Uint8Array): Promise<string | undefined> {
  // Imported here, because no other command needs these two.
  const [{ default: sharp }, { default: decode }] = await Promise.all([
    import('sharp'),
    import('qr/decode.js'),
  ]);
  try {
    const { data, info } = await sharp(image)
      .resize({ width: MAX_SIDE_PX, height: MAX_SIDE_PX, fit: 'inside' })
      // The page shows transparent images on white.
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    return decode({ width, height, data: new Uint8Array(data) }, { timeLimit: DECODE_TIME_MS });
  } catch {
    return undefined; // Both libraries throw for an image in which they find nothing.
  }
}
