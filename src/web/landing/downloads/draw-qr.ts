import { encode } from 'uqr';

/** The quiet zone that the standard asks for, in modules. */
const BORDER = 4;
/** The largest code that fits into the narrowest panel with 3 px a module: 121 modules, and 1,171 bytes of a link. */
const MAX_VERSION = 24;

export type Qr = { readonly size: number; readonly path: string };

/** Draws a text as a QR code: an SVG path on a square of `size` modules. Undefined if the text is too long for one. */
export function drawQr(text: string): Qr | undefined {
  const code = encodeText(text);
  if (!code) return undefined;
  const path = code.data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: code.size, path };
}

function encodeText(text: string): ReturnType<typeof encode> | undefined {
  try {
    // The level with the fewest modules: nothing covers or scratches a screen. Where a higher one needs no more modules, it is
    // taken.
    return encode(text, { ecc: 'L', boostEcc: true, maxVersion: MAX_VERSION, border: BORDER });
  } catch {
    return undefined; // Too long: the library throws.
  }
}
