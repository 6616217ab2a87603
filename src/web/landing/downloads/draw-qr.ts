import { encode } from 'uqr';

/** The quiet zone that the standard asks for, in modules. */
const BORDER = 4;

/** Draws a text as a QR code: an SVG path on a square of `size` modules. */
export function drawQr(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size, path };
}
