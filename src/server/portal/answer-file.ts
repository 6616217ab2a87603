import { answerPrepared } from '../http/answer.ts';
import type { Answer } from '../http/exchange.ts';
import type { PreparedAnswer } from '../http/prepare-answer.ts';
import { refuseMethod } from '../http/refusals.ts';
import type { Visit } from './visit.ts';

/** Files that are served from memory, by their path. */
export type Files = ReadonlyMap<string, PreparedAnswer>;

const HASH = /\.[\w-]{10}(\.\w+)$/;

/** Sends a file of the web build, or undefined where there is none. */
export function answerAsset(visit: Visit, assets: Files): Answer | undefined {
  const { method, path } = visit.request;
  const file = assets.get(path);
  if (file === undefined) return undefined;
  if (method !== 'GET' && method !== 'HEAD') throw refuseMethod('GET, HEAD');
  return answerPrepared(visit, file);
}

/**
 * Sends an image of the site folder, or undefined where there is none. A page of a moment ago may ask for an image
 * that has changed since: it gets the new one, which it must not keep under the old one's name.
 */
export function answerImage(visit: Visit): Answer | undefined {
  const { path } = visit.request;
  const { answers } = visit.site.images;
  const image = answers.get(path) ?? answers.get(path.replace(HASH, '$1'));
  return image && answerPrepared(visit, image);
}
