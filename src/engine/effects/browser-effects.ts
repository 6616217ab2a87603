import { RESOURCE_TIMING_WAIT_MS } from '../../contract/limits.ts';
import type { Effects, KeyValueStore, Visibility, WatchTiming } from './effects.ts';
import { wait } from './wait.ts';

const MS_PER_DAY = 86_400_000;

export type BrowserEffects = Effects & {
  readonly watchTiming: WatchTiming;
  /** Days since 1970-01-01 UTC. */
  readonly today: () => number;
};

/** The effects of a real page. */
export function createBrowserEffects(page: Window & typeof globalThis): BrowserEffects {
  const { performance } = page;
  // Not `timeOrigin`, which Safari 14 does not have. From here on the clock on the wall may be set at will.
  const origin = Date.now() - performance.now();
  const setTimer: Effects['setTimer'] = (callback, delayMs) => {
    const timer = page.setTimeout(callback, delayMs);
    return () => page.clearTimeout(timer);
  };
  return {
    fetch: (url, init) => page.fetch(url, init),
    now: () => origin + performance.now(),
    random: Math.random,
    setTimer,
    watchTiming: (url) => watchTiming(url, page, setTimer),
    today: () => Math.floor(Date.now() / MS_PER_DAY),
  };
}

/** The part of a page's storage that it was given, or nothing: storage may be full, or forbidden. */
export function createBrowserStore(open: () => Storage): KeyValueStore {
  const attempt = <T>(act: (storage: Storage) => T): T | undefined => {
    try {
      return act(open());
    } catch {
      return undefined; // What is kept is a convenience: the page works without it.
    }
  };
  return {
    get: (key) => attempt((storage) => storage.getItem(key)),
    set: (key, value) => attempt((storage) => storage.setItem(key, value)),
    remove: (key) => attempt((storage) => storage.removeItem(key)),
  };
}

/** Whether the visitor sees this document. */
export function createBrowserVisibility(document: Document): Visibility {
  return {
    isHidden: () => document.hidden,
    subscribe: (onChange) => document.addEventListener('visibilitychange', onChange),
  };
}

function watchTiming(
  url: string,
  { performance, PerformanceObserver }: typeof globalThis,
  setTimer: Effects['setTimer'],
): ReturnType<WatchTiming> {
  const startedAt = performance.now();
  let durationMs: number | undefined;
  let onFound: (() => void) | undefined;
  const take = (entries: PerformanceEntryList) => {
    for (const entry of entries as PerformanceResourceTiming[]) {
      if (entry.name !== url || entry.startTime < startedAt) continue;
      // The start of the response needs Timing-Allow-Origin; its end is known without, in most browsers.
      const endMs = entry.responseStart || entry.responseEnd;
      if (endMs) durationMs = endMs - entry.startTime;
      onFound?.();
    }
  };
  // An observer, because the page's own buffer holds 250 entries and then no more.
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  // By the list of types: the form with one type is unknown to Safari before 15.4.
  observer.observe({ entryTypes: ['resource'] });
  return {
    async read(signal) {
      if (durationMs === undefined) {
        const found = new Promise<void>((resolve) => (onFound = resolve));
        await Promise.race([found, wait(RESOURCE_TIMING_WAIT_MS, signal, setTimer)]);
        // A busy page runs late: what is in the queue has come in time all the same.
        take(observer.takeRecords());
      }
      observer.disconnect();
      return durationMs;
    },
    stop: () => observer.disconnect(),
  };
}
