import type { VisitEvents } from '../../../contract/visit-events.ts';

/** What some browsers know of an entry, beyond what all know. */
type Entry = PerformanceEntry & {
  readonly activationStart?: number;
  readonly hadRecentInput?: boolean;
  readonly interactionId?: number;
  readonly responseStart?: number;
  readonly value?: number;
};

type Vitals = NonNullable<VisitEvents['vitals']>;

/** Layout shifts with less than a second between them belong together, for five seconds at most: https://web.dev/articles/cls */
const SHIFT_GAP_MS = 1_000;
const SHIFT_SESSION_MS = 5_000;

/**
 * Watches the web vitals, and writes them into the object that it returns. The library `web-vitals` is larger than all that
 * counting may cost. This page has few interactions, so its INP is simply the slowest one. Undefined for a page that was
 * opened in the background, because its times say nothing.
 */
export function watchVitals({
  document,
  performance,
  PerformanceObserver: Observer,
}: Pick<Window & typeof globalThis, 'document' | 'performance' | 'PerformanceObserver'>): Vitals | undefined {
  const read = (type: string): Entry[] => performance.getEntriesByType(type);
  if (document.hidden || read('visibility-state').some(({ name }) => name === 'hidden')) return undefined;
  const [navigation] = read('navigation');
  const vitals: Vitals = {};
  let first = 0;
  let last = 0;
  let sum = 0;

  const setTime = (name: keyof Vitals, time: number): void => {
    // A page that was rendered ahead starts for the visitor when they open it.
    vitals[name] = Math.max(0, time - (navigation?.activationStart ?? 0));
  };
  const setMost = (name: keyof Vitals, value: number): void => {
    vitals[name] = Math.max(value, vitals[name] ?? 0);
  };
  const watch = (type: string, onEntry: (entry: Entry) => void): void => {
    if (!Observer?.supportedEntryTypes?.includes(type)) return;
    new Observer((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true });
  };

  if (navigation?.responseStart) setTime('TTFB', navigation.responseStart);
  watch('paint', ({ name, startTime }) => name.endsWith('l-paint') && setTime('FCP', startTime));
  watch('largest-contentful-paint', ({ startTime }) => setTime('LCP', startTime));
  watch('first-input', ({ duration }) => setMost('INP', duration));
  watch('event', ({ duration, interactionId }) => interactionId && setMost('INP', duration));
  watch('layout-shift', ({ startTime, value = 0, hadRecentInput }) => {
    if (hadRecentInput) return;
    if (startTime - last > SHIFT_GAP_MS || startTime - first > SHIFT_SESSION_MS) {
      first = startTime;
      sum = 0;
    }
    last = startTime;
    sum += value;
    setMost('CLS', sum);
  });
  return vitals;
}
