import { answerPrepared } from '../http/answer.ts';
import type { PreparedAnswer } from '../http/prepare-answer.ts';
import type { Visit } from '../http/visit.ts';

/** Files that are served from memory, by their path. */
export type Files = ReadonlyMap<string, PreparedAnswer>;

const HASH = /\.[\w-]{10}(\.\w+)$/;

/** Sends a file of the web build, or undefined where there is none. */
export function answerAsset(visit: Visit, assets: Files, path: string): Response | undefined {
  const file = assets.get(path);
  return file && answerPrepared(visit, file);
}

/**
 * Sends an image of the site folder, or undefined where there is none. A page of a moment ago may ask for an image
 * that has changed since: it gets the new one, which it must not keep under the old one's name.
 */
export function answerImage(visit: Visit, path: string): Response | undefined {
  const { answers } = visit.site.images;
  const image = answers.get(path) ?? answers.get(path.replace(HASH, '$1'));
  return image && answerPrepared(visit, image);
}
