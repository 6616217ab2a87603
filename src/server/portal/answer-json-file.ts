import { answerPrepared } from '../http/answer.ts';
import type { Answer } from '../http/exchange.ts';
import { refuseRegion, refuseUnknownPath } from '../http/refusals.ts';
import { type Visit, isRestricted } from './visit.ts';

/** Sends the links config. */
export function answerLinks(visit: Visit): Answer {
  return answerPrepared(visit, visit.site.links);
}

/** Sends the addresses of a `/t` target. */
export function answerTargetFile(visit: Visit): Answer {
  if (isRestricted(visit)) throw refuseRegion();
  const addresses = visit.site.targetFiles.get(visit.request.path);
  if (addresses === undefined) throw refuseUnknownPath();
  return answerPrepared(visit, addresses);
}
