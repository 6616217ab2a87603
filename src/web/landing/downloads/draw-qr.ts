import encodeQr from 'qr';

/** The quiet zone that the standard asks for, in modules. */
const BORDER = 4;
/** The most modules that fit into the narrowest panel with 3 px each: room for 1,171 bytes of a link. */
const MAX_SIZE = 121;

export type Qr = { readonly size: number; readonly path: string };

/** Draws a text as a QR code: an SVG path on a square of `size` modules. Undefined if the text is too long for one. */
export function drawQr(text: string): Qr | undefined {
  const rows = encodeText(text);
  if (rows === undefined || rows.length > MAX_SIZE) return undefined;
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: rows.length, path };
}

function encodeText(text: string): readonly (readonly boolean[])[] | undefined {
  try {
    // The level with the fewest modules: nothing covers or scratches a screen.
    return encodeQr(text, 'raw', { ecc: 'low', border: BORDER });
  } catch {
    return undefined; // Too long: the library throws.
  }
}
