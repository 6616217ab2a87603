import { RESOURCE_TIMING_WAIT_MS } from '../../contract/limits.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import type { Effects, KeyValueStore, Visibility, WatchTiming } from './effects.ts';
import { wait } from './wait.ts';

export type BrowserEffects = Effects & {
  readonly watchTiming: WatchTiming;
  /** Days since 1970-01-01 UTC. */
  readonly today: () => number;
};

/** The effects of a real page. */
export function createBrowserEffects(page: Window & typeof globalThis): BrowserEffects {
  const { performance } = page;
  // Safari 14 has no `timeOrigin`. Later changes of the system clock have no effect on this clock.
  const origin = Date.now() - performance.now();
  const setTimer = createSetTimer(page);
  return {
    fetch: (url, init) => page.fetch(url, init),
    now: () => origin + performance.now(),
    random: Math.random,
    setTimer,
    watchTiming: (url) => watchTiming(url, page, setTimer),
    today: () => Math.floor(Date.now() / DAY_MS),
  };
}

/** The timers of a page or of a worker. */
export function createSetTimer(scope: Pick<Window, 'setTimeout' | 'clearTimeout'>): Effects['setTimer'] {
  return (callback, delayMs) => {
    const timer = scope.setTimeout(callback, delayMs);
    return () => scope.clearTimeout(timer);
  };
}

/** Wraps a page's storage. Where that is full or forbidden, it keeps nothing and does not throw. */
export function createBrowserStore(open: () => Storage): KeyValueStore {
  const attempt = <T>(act: (storage: Storage) => T): T | undefined => {
    try {
      return act(open());
    } catch {
      return undefined; // The page works without what it keeps.
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
      // Browsers give the start of the response only with Timing-Allow-Origin. Without it, most give its end.
      const endMs = entry.responseStart || entry.responseEnd;
      if (endMs) durationMs = endMs - entry.startTime;
      onFound?.();
    }
  };
  // An observer, because the page's own buffer stops at 250 entries.
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  // Safari before 15.4 does not know `type`, only `entryTypes`.
  observer.observe({ entryTypes: ['resource'] });
  return {
    async read(signal) {
      if (durationMs === undefined) {
        const found = new Promise<void>((resolve) => (onFound = resolve));
        await Promise.race([found, wait(RESOURCE_TIMING_WAIT_MS, signal, setTimer)]);
        // On a busy page the callback is late. Entries in the queue arrived in time.
        take(observer.takeRecords());
      }
      observer.disconnect();
      return durationMs;
    },
    stop: () => observer.disconnect(),
  };
}
