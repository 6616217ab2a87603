export type ImageSize = { readonly width: number; readonly height: number };

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

/** Walks from segment to segment to the frame header, which is any of SOF0 to SOF15 but three that are no frames. */
function readJpeg(bytes: Buffer): ImageSize | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  for (;;) {
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

/** The `ispe` box of an AVIF file holds its size: ISO/IEC 23008-12, 6.5.3. */
function readAvif(bytes: Buffer): ImageSize | undefined {
  const box = bytes.toString('latin1', 4, 8) === 'ftyp' ? bytes.indexOf('ispe', 0, 'latin1') : -1;
  return box < 0 ? undefined : { width: bytes.readUInt32BE(box + 8), height: bytes.readUInt32BE(box + 12) };
}

function readSvg(bytes: Buffer): ImageSize | undefined {
  const root = /<svg\b[^<>]*>/.exec(bytes.toString('utf8', 0, 4096))?.[0];
  if (root === undefined) return undefined;
  const width = /\swidth="([\d.]+)(?:px)?"/.exec(root)?.[1];
  const height = /\sheight="([\d.]+)(?:px)?"/.exec(root)?.[1];
  if (width !== undefined && height !== undefined) return { width: Number(width), height: Number(height) };
  const box = /\sviewBox="[\d.-]+[\s,]+[\d.-]+[\s,]+([\d.]+)[\s,]+([\d.]+)"/.exec(root);
  return box ? { width: Number(box[1]), height: Number(box[2]) } : undefined;
}
