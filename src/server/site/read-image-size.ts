import { SaxesParser, type SaxesTagPlain } from 'saxes';

export type ImageSize = { readonly width: number; readonly height: number };

const SVG_PART_BYTES = 4_096;
/** What a browser takes for a side that an SVG image does not tell. */
const DEFAULT_WIDTH_PX = 300;
const DEFAULT_HEIGHT_PX = 150;
/** https://www.w3.org/TR/css-values-4/#absolute-lengths, and the two that follow a font of 16 px. */
const UNIT_PX: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  em: 16,
  ex: 8,
};

/** Reads how large an image is, in its own pixels. Undefined where its bytes do not tell. */
export function readImageSize(bytes: Buffer): ImageSize | undefined {
  try {
    const size = readPng(bytes) ?? readGif(bytes) ?? readJpeg(bytes) ?? readWebp(bytes) ?? readAvif(bytes);
    const found = size ?? readSvg(bytes);
    return found && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // The file ends before its size is told.
    throw error;
  }
}

function readPng(bytes: Buffer): ImageSize | undefined {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): ImageSize | undefined {
  if (bytes.toString('latin1', 0, 3) !== 'GIF') return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Finds the frame header: SOF0 to SOF15, without C4, C8 and CC, which are no frames. */
function readJpeg(bytes: Buffer): ImageSize | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  for (;;) {
    // A marker may have any number of these before it.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
    }
    default:
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
}

/** The `ispe` boxes of an AVIF file hold the sizes of its parts: ISO/IEC 23008-12, 6.5.3. The largest one counts. */
function readAvif(bytes: Buffer): ImageSize | undefined {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  let [width, height] = [0, 0];
  for (
    let box = bytes.indexOf('ispe');
    box >= 0 && box + 16 <= bytes.length;
    box = bytes.indexOf('ispe', box + 4)
  ) {
    width = Math.max(width, bytes.readUInt32BE(box + 8));
    height = Math.max(height, bytes.readUInt32BE(box + 12));
  }
  return { width, height };
}

/** Of the first element, as a parser reads it. What the parser refuses has no size. */
function readSvg(bytes: Buffer): ImageSize | undefined {
  if (!/^\uFEFF?\s*</.test(bytes.toString('utf8', 0, 200))) return undefined;
  const { width, height, viewBox } = readFirstElement(bytes)?.attributes ?? {};
  const box = /^\s*[\d.e+-]+[\s,]+[\d.e+-]+[\s,]+([\d.e+]+)[\s,]+([\d.e+]+)\s*$/i.exec(viewBox ?? '');
  const [boxWidth, boxHeight] = [Number(box?.[1]), Number(box?.[2])];
  const [ownWidth, ownHeight] = [readLength(width), readLength(height)];
  if (ownWidth !== undefined && ownHeight !== undefined) return { width: ownWidth, height: ownHeight };
  if (box === null) {
    if (ownWidth === undefined && ownHeight === undefined) return undefined;
    return { width: ownWidth ?? DEFAULT_WIDTH_PX, height: ownHeight ?? DEFAULT_HEIGHT_PX };
  }
  if (ownWidth !== undefined) return { width: ownWidth, height: (ownWidth * boxHeight) / boxWidth };
  if (ownHeight !== undefined) return { width: (ownHeight * boxWidth) / boxHeight, height: ownHeight };
  return { width: boxWidth, height: boxHeight };
}

function readFirstElement(bytes: Buffer): SaxesTagPlain | undefined {
  const found: SaxesTagPlain[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => void found.push(tag));
  parser.on('error', () => undefined);
  // In parts, because nothing after the first element matters here.
  for (let at = 0; at < bytes.length && found.length === 0; at += SVG_PART_BYTES) {
    parser.write(bytes.toString('latin1', at, at + SVG_PART_BYTES));
  }
  return found[0];
}

/** In CSS pixels. Undefined for percents, and for what is no length. */
function readLength(text = ''): number | undefined {
  const [, number = '', unit = ''] = /^\s*\+?([\d.]+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(text) ?? [];
  const pixels = Number(number) * (UNIT_PX[unit.toLowerCase()] ?? Number.NaN);
  return number === '' || Number.isNaN(pixels) ? undefined : pixels;
}
