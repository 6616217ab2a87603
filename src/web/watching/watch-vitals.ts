/** By the names that https://web.dev/articles/vitals uses. In ms, except the score of CLS. */
export type Vitals = { CLS?: number; FCP?: number; INP?: number; LCP?: number; TTFB?: number };

/** What some browsers know of an entry, beyond what all know. */
type Entry = PerformanceEntry & {
  readonly activationStart?: number;
  readonly hadRecentInput?: boolean;
  readonly interactionId?: number;
  readonly responseStart?: number;
  readonly value?: number;
};

/** Layout shifts with less than a second between them belong together, for five seconds at most: https://web.dev/articles/cls */
const SHIFT_GAP_MS = 1_000;
const SHIFT_SESSION_MS = 5_000;
/** The slowest of each 50 interactions is left out: https://web.dev/articles/inp */
const INTERACTIONS_PER_OUTLIER = 50;
/** The smallest threshold that browsers accept. The default is 104 ms. */
const MIN_EVENT_MS = 16;

/**
 * Watches the web vitals until the page is hidden for the first time, and writes them into the object that it returns. Undefined
 * for a page that was opened in the background, because its times say nothing. The library `web-vitals` is larger than all that
 * counting visits may cost.
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
  /** The slowest event of each interaction, by its id. Browsers without interaction ids report only the first interaction. */
  const interactions: Record<number, number> = {};
  let firstShiftAt = 0;
  let lastShiftAt = 0;
  let sumOfShifts = 0;

  const setTime = (name: keyof Vitals, time: number): void => {
    // A page that was rendered ahead starts for the visitor when they open it.
    vitals[name] = Math.max(0, time - (navigation?.activationStart ?? 0));
  };
  const watch = (type: string, onEntry: (entry: Entry) => void): boolean => {
    if (!Observer?.supportedEntryTypes?.includes(type)) return false;
    const observer = new Observer((list) => list.getEntries().forEach(onEntry));
    // TypeScript's DOM does not know the threshold.
    const init = { type, buffered: true, durationThreshold: MIN_EVENT_MS };
    observer.observe(init);
    document.addEventListener('visibilitychange', () => {
      // A click that leaves the page is told of here.
      observer.takeRecords().forEach(onEntry);
      observer.disconnect();
    });
    return true;
  };
  const addInteraction = ({ duration, interactionId = 0 }: Entry): void => {
    interactions[interactionId] = Math.max(duration, interactions[interactionId] ?? 0);
    // oxlint-disable-next-line unicorn/no-array-sort -- browsers of 2020 have no toSorted
    const slowest = Object.values(interactions).sort((one, other) => other - one);
    vitals.INP = slowest[Math.floor(slowest.length / INTERACTIONS_PER_OUTLIER)] ?? duration;
  };
  const addShift = ({ startTime, value = 0, hadRecentInput }: Entry): void => {
    if (hadRecentInput) return;
    if (startTime - lastShiftAt > SHIFT_GAP_MS || startTime - firstShiftAt > SHIFT_SESSION_MS) {
      firstShiftAt = startTime;
      sumOfShifts = 0;
    }
    lastShiftAt = startTime;
    sumOfShifts += value;
    vitals.CLS = Math.max(sumOfShifts, vitals.CLS ?? 0);
  };

  if (navigation?.responseStart) setTime('TTFB', navigation.responseStart);
  watch('paint', ({ name, startTime }) => name === 'first-contentful-paint' && setTime('FCP', startTime));
  watch('largest-contentful-paint', ({ startTime }) => setTime('LCP', startTime));
  watch('first-input', addInteraction);
  watch('event', (entry) => entry.interactionId && addInteraction(entry));
  // A page without a shift has CLS 0.
  if (watch('layout-shift', addShift)) vitals.CLS ??= 0;
  return vitals;
}
