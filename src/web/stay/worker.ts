import { KEEP_SIBLINGS, type KeepSiblings } from '../../contract/line/stay-messages.ts';
import { STAY_WORKER_PATH } from '../../contract/paths.ts';
import { createSetTimer } from '../../engine/effects/browser-effects.ts';
import type { Lasting, WorkerRequest, WorkerScope } from '../kit/worker-scope.ts';
import { createStayWorker } from './create-stay-worker.ts';

type Scope = WorkerScope<{
  readonly install: Lasting & { readonly addRoutes?: (route: object) => Promise<void> };
  readonly activate: Lasting;
  readonly message: Lasting & { readonly data: unknown };
  readonly fetch: WorkerRequest & { readonly respondWith: (answer: Promise<Response>) => void };
}> & {
  readonly InstallEvent?: { readonly prototype: object };
  readonly location: Location;
  readonly skipWaiting: () => Promise<void>;
  readonly clients: {
    readonly claim: () => Promise<void>;
    readonly matchAll: () => Promise<readonly { readonly postMessage: (message: unknown) => void }[]>;
  };
};

// This script runs as a service worker, never in a page.
const scope = self as unknown as Scope;
const { caches, clients, location, registration } = scope;
/** An application's own worker that imports this script decides about its own life, about preloads and races. */
const isOwnWorker = location.pathname === STAY_WORKER_PATH;
const isRaced = isOwnWorker && 'addRoutes' in (scope.InstallEvent?.prototype ?? {});
const isFirefox = navigator.userAgent.includes('Firefox/');
const worker = createStayWorker({
  own: location.origin,
  isRaced,
  mayFail: !isFirefox,
  caches,
  fetch: (...args) => fetch(...args),
  now: () => Date.now(),
  random: Math.random,
  setTimer: createSetTimer(self),
  languages: navigator.languages,
  async tellPages(message) {
    for (const page of await clients.matchAll()) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's pages are of its origin
      page.postMessage(message);
    }
  },
});

/**
 * Chromium sends a navigation and runs the worker at the same time, and shows the first good answer: a page that is well does not pass
 * through the worker. A failed one does. What the worker fetches meanwhile is the same request: the line is asked once.
 */
const RACE = {
  condition: { requestMode: 'navigate', requestMethod: 'GET' },
  source: 'race-network-and-fetch-handler',
};

if (isOwnWorker) {
  scope.addEventListener('install', (event) => {
    event.waitUntil(Promise.all([scope.skipWaiting(), event.addRoutes?.(RACE).catch(() => undefined)]));
  });
  scope.addEventListener('activate', (event) => {
    // Without the race, the browser asks the line while it starts the worker. Safari before 15.4 cannot. Firefox shows its own
    // error page when that request fails, whatever the worker answers. With the race, the line would be asked twice.
    const canPreload = !isRaced && !isFirefox;
    const preload = canPreload ? registration.navigationPreload?.enable() : undefined;
    // The page that is open is protected, too: an application may never navigate again.
    event.waitUntil(Promise.all([preload, clients.claim()]));
  });
}

scope.addEventListener('message', (event) => {
  const { type, portal } = Object(event.data) as Partial<KeepSiblings>;
  if (type !== KEEP_SIBLINGS || typeof portal !== 'string') return;
  event.waitUntil(worker.keep(portal).catch(() => undefined));
});

scope.addEventListener('fetch', (event) => {
  const answer = worker.answer({
    request: event.request,
    // Undefined in browsers without it.
    preloadResponse: Promise.resolve(event.preloadResponse),
    waitUntil: (work) => event.waitUntil(work.catch(() => undefined)),
  });
  if (answer) event.respondWith(answer);
});
