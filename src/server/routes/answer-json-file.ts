import { answerPrepared } from '../http/answer.ts';
import { refuseRegion, refuseUnknownPath } from '../http/refusals.ts';
import { type Visit, isRestricted } from '../http/visit.ts';

/** Sends the links config. */
export function answerLinks(visit: Visit): Response {
  return answerPrepared(visit, visit.site.links);
}

/** Sends the addresses of a `/t` target, given as the name of its file. */
export function answerTargetFile(visit: Visit, fileName: string): Response {
  if (isRestricted(visit)) throw refuseRegion();
  const [, target = ''] = /^(.+)\.json$/.exec(fileName) ?? [];
  const addresses = visit.site.targets.get(target);
  if (addresses === undefined) throw refuseUnknownPath();
  return answerPrepared(visit, addresses);
}
