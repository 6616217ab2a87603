import { posix } from 'node:path';

/** Formats that are smaller than what every browser can show, the smallest first. */
const BETTER_ENDINGS = ['.avif', '.webp'];

/** The paths at which an image may lie beside itself in a better format: the same name with another ending. */
export function listBetterFormats(path: string): readonly string[] {
  const ending = posix.extname(path);
  const name = path.slice(0, -ending.length);
  // What is as good as the image itself, or worse, is no use; a drawing is sharper than any of its pictures.
  const known = BETTER_ENDINGS.indexOf(ending);
  const better = ending === '.svg' ? [] : BETTER_ENDINGS.slice(0, known < 0 ? undefined : known);
  return better.map((other) => name + other);
}
