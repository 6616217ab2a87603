import encodeQr from 'qr';

/** How much of a code may be covered or scratched, from 7 to 30 percent. */
export const QR_LEVELS = ['low', 'medium', 'quartile', 'high'] as const;
export type QrLevel = (typeof QR_LEVELS)[number];

export type QrLook = {
  /** The colour of the modules, on white. */
  readonly colour: string;
  /** A picture for the middle, as a data URL. Empty for none. */
  readonly logo: string;
};

/** The quiet zone that the standard asks for, in modules. */
const BORDER = 4;
/** The part of the width that a logo may cover: less than each level can lose. */
const LOGO_PART: Readonly<Record<QrLevel, number>> = { low: 0, medium: 0.15, quartile: 0.2, high: 0.25 };

/** Draws the QR code of a link as an SVG. */
export function drawLinkQr(link: string, level: QrLevel, { colour, logo }: QrLook): string {
  const rows = encodeQr(link, 'raw', { ecc: level, border: BORDER });
  const size = rows.length;
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 10}" height="${size * 10}">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<path d="${path}" fill="${colour}" shape-rendering="crispEdges"/>`,
    logo === '' ? '' : drawLogo(logo, size, (size - 2 * BORDER) * LOGO_PART[level]),
    '</svg>',
  ].join('');
}

/** A white plate in the middle with the logo on it. The lowest level has no room for one. */
function drawLogo(logo: string, size: number, side: number): string {
  if (side === 0) return '';
  const at = (size - side) / 2;
  const place = `x="${at}" y="${at}" width="${side}" height="${side}"`;
  return `<rect ${place} rx="0.5" fill="#fff"/><image ${place} href="${logo}"/>`;
}

/** The address of an SVG that is not on any server. */
export function writeDataUrl(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
