import { OFFLINE_CACHE } from '../../contract/page/storage-keys.ts';
import { OFFLINE_WORKER_PATH } from '../../contract/paths.ts';
import { findKeepDays } from '../../contract/site/offline-settings.ts';
import { answerPrepared } from '../http/answer.ts';
import { refuseUnknownPath } from '../http/errors.ts';
import { type PreparedAnswer, type PreparedFiles, prepareAnswer } from '../http/prepare-answer.ts';
import { DATA_HEADERS, joinDirectives } from '../http/security-headers.ts';
import type { ShellKind } from '../site/render-pages.ts';
import { chooseLocale } from './choose-locale.ts';
import { type VisitContext, findClosing, refuseIfClosed } from './visit.ts';

/** A worker that removes what was kept, and itself, without waiting for open tabs. It answers no request. */
const REMOVING_WORKER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([caches.delete('${OFFLINE_CACHE}'), registration.unregister()]));
});
`;

/**
 * Sends the service worker. Where nothing may be kept, it is one that removes itself: browsers ask for their worker again
 * after each visit.
 */
export function createAnswerWorker(assets: PreparedFiles): (c: VisitContext) => Promise<Response> {
  const removing = prepareRemovingWorker();
  return async (c) => {
    const visit = c.get('visit');
    const mayKeep = findKeepDays(visit.site.config) !== undefined && !findClosing(visit);
    const worker = mayKeep ? assets.get(OFFLINE_WORKER_PATH) : undefined;
    const answer = answerPrepared(c, worker ?? (await removing));
    const headers = writeWorkerHeaders(visit.site.config.services.callerAddress);
    for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
    return answer;
  };
}

/** Prepares the worker that removes itself. */
export function prepareRemovingWorker(): Promise<PreparedAnswer> {
  return prepareAnswer({
    body: REMOVING_WORKER,
    type: 'text/javascript; charset=utf-8',
    headers: writeWorkerHeaders(),
    compression: 9,
  });
}

function writeWorkerHeaders(callerService = ''): Readonly<Record<string, string>> {
  return {
    ...DATA_HEADERS,
    // Which worker a caller gets depends on the region, and on the time.
    'Cache-Control': 'private, no-cache',
    // A worker has the policy of its own script. This one asks the portal for pages and lines, and who is calling.
    'Content-Security-Policy': joinDirectives({
      'default-src': ["'none'"],
      'connect-src': ["'self'", ...(callerService === '' ? [] : [new URL(callerService).origin])],
      'frame-ancestors': ["'none'"],
    }),
  };
}

/** Sends the shell of a page, in the visitor's language. */
export function answerShell(c: VisitContext, kind: ShellKind): Response {
  const visit = c.get('visit');
  refuseIfClosed(visit);
  if (findKeepDays(visit.site.config) === undefined) refuseUnknownPath();
  const choice = { kind, locale: chooseLocale(c), closing: undefined, isShell: true };
  return answerPrepared(c, visit.site.pages.get(choice));
}
