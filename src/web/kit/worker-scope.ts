/** An event. The worker stays alive until this work has ended. */
export type Lasting = { readonly waitUntil: (work: Promise<unknown>) => void };

/** What a worker needs to know of a fetch event. */
export type WorkerRequest = Lasting & {
  readonly request: Request;
  /** The answer that the browser has asked for while the worker started, if it does so. */
  readonly preloadResponse: Promise<Response | undefined>;
};

/** As much of a service worker's global scope as both workers use. The types of pages and of workers do not mix. */
export type WorkerScope<Events> = {
  readonly caches: CacheStorage;
  readonly registration: ServiceWorkerRegistration;
  readonly addEventListener: <Kind extends keyof Events>(
    kind: Kind,
    listener: (event: Events[Kind]) => void,
  ) => void;
};
