/** Larger than any QR code needs, smaller than a camera's picture of one. */
const MAX_SIDE_PX = 800;
/** The decoder's default is a frame of a live camera; a still image may take its time, on a slow machine too. */
const DECODE_TIME_MS = 5_000;

/** Reads the QR code in an image, SVG or pixels of any usual kind. Undefined where there is none to read. */
export async function decodeQr(image: Uint8Array): Promise<string | undefined> {
  // Loaded here, not above: a native library and a decoder that no other command needs.
  const [{ default: sharp }, { default: decode }] = await Promise.all([
    import('sharp'),
    import('qr/decode.js'),
  ]);
  try {
    const { data, info } = await sharp(image)
      .resize({ width: MAX_SIDE_PX, height: MAX_SIDE_PX, fit: 'inside' })
      // A transparent image is seen on the light card of the page.
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
