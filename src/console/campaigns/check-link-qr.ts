import { writeDataUrl } from './draw-link-qr.ts';

/** In pixels: enough for the largest code, and little for the decoder. */
const SIDE_PX = 800;
/** The decoder's default is for live video. */
const DECODE_TIME_MS = 5_000;

/** Draws an SVG on a canvas, as a phone would see it. */
export async function paintQr(svg: string): Promise<HTMLCanvasElement> {
  const image = new Image(SIDE_PX, SIDE_PX);
  image.src = writeDataUrl(svg);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = SIDE_PX;
  canvas.height = SIDE_PX;
  canvas.getContext('2d')?.drawImage(image, 0, 0, SIDE_PX, SIDE_PX);
  return canvas;
}

/** Whether a decoder reads exactly this link from the code. Nobody should print a code that phones cannot read. */
export async function isReadable(canvas: HTMLCanvasElement, link: string): Promise<boolean> {
  const { default: decodeQr } = await import('qr/decode.js');
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, SIDE_PX, SIDE_PX);
  if (pixels === undefined) return false;
  try {
    const image = { width: SIDE_PX, height: SIDE_PX, data: pixels.data };
    return decodeQr(image, { timeLimit: DECODE_TIME_MS }) === link;
  } catch {
    return false; // The decoder throws if it finds no code.
  }
}
