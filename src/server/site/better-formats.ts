import { posix } from 'node:path';

/** Formats that are smaller than what every browser can show, the smallest first. */
const BETTER_ENDINGS = ['.avif', '.webp'];

/** The paths where an image may lie in a better format: the same name with another ending. */
export function listBetterFormats(path: string): readonly string[] {
  const ending = posix.extname(path);
  const name = path.slice(0, -ending.length);
  // A format that is no better than the image's own is not used. An SVG is sharper than any pixel image of it.
  const known = BETTER_ENDINGS.indexOf(ending);
  const better = ending === '.svg' ? [] : BETTER_ENDINGS.slice(0, known < 0 ? undefined : known);
  return better.map((other) => name + other);
}
