import { createSetTimer } from '../../engine/effects/browser-effects.ts';
import type { Lasting, WorkerScope } from '../kit/worker-scope.ts';
import { type OfflineRequest, createOfflineWorker } from './create-offline-worker.ts';

type Scope = WorkerScope<{
  readonly install: Lasting;
  readonly activate: Lasting;
  readonly fetch: OfflineRequest & { readonly respondWith: (answer: Promise<Response>) => void };
}> & {
  readonly clients: {
    readonly matchAll: (options: {
      readonly includeUncontrolled: true;
      readonly type: 'window';
    }) => Promise<readonly { readonly url: string }[]>;
  };
};

// This script runs as a service worker, never in a page.
const scope = self as unknown as Scope;
const { caches, registration, clients } = scope;
const worker = createOfflineWorker({
  caches,
  fetch: (...args) => fetch(...args),
  now: () => Date.now(),
  setTimer: createSetTimer(self),
  async listPages() {
    const open = await clients.matchAll({ includeUncontrolled: true, type: 'window' });
    return open.map(({ url }) => url);
  },
  unregister: () => registration.unregister(),
});

scope.addEventListener('install', (event) => event.waitUntil(worker.keepRedirect()));

// The browser asks the portal while it starts the worker, so nobody waits for the worker. Safari before 15.4 cannot. Firefox
// shows its own error page when that request fails, whatever the worker answers.
scope.addEventListener('activate', (event) => {
  const canPreload = !navigator.userAgent.includes('Firefox/');
  if (canPreload) event.waitUntil(Promise.resolve(registration.navigationPreload?.enable()));
});

scope.addEventListener('fetch', (event) => {
  const { request, clientId, resultingClientId } = event;
  const answer = worker.answer({
    request,
    clientId,
    resultingClientId,
    // Undefined in browsers without it.
    preloadResponse: Promise.resolve(event.preloadResponse),
    waitUntil: (work) => event.waitUntil(work.catch(() => undefined)),
  });
  if (answer) event.respondWith(answer);
});
