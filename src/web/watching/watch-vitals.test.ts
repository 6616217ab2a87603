import { expect, test } from 'vitest';
import { watchVitals } from './watch-vitals.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Opens a page of which the browser knows these entries, by their type. */
function openPage(
  entries: Readonly<Record<string, readonly Entry[]>>,
  supportedEntryTypes: readonly string[] | undefined = Object.keys(entries),
  hidden = false,
) {
  const document = Object.assign(new EventTarget(), { hidden });
  /** Entries that the browser has not told of yet. */
  const untold: Record<string, readonly Entry[]> = {};
  class Observer {
    static supportedEntryTypes = supportedEntryTypes;
    readonly #onList: (list: { getEntries: () => readonly Entry[] }) => void;
    #type = '';
    constructor(onList: (list: { getEntries: () => readonly Entry[] }) => void) {
      this.#onList = onList;
    }
    observe({ type, buffered }: { type: string; buffered: boolean }): void {
      expect(buffered).toBe(true);
      this.#type = type;
      this.#onList({ getEntries: () => entries[type] ?? [] });
    }
    takeRecords(): readonly Entry[] {
      return untold[this.#type] ?? [];
    }
    disconnect(): void {
      this.#type = '';
    }
  }
  const performance = { getEntriesByType: (type: string) => entries[type] ?? [] };
  // As much of a window as it uses.
  const vitals = watchVitals({ document, performance, PerformanceObserver: Observer } as never);
  const changeVisibility = () => document.dispatchEvent(new Event('visibilitychange'));
  return { vitals, untold, changeVisibility };
}

const watch = (...page: Parameters<typeof openPage>) => openPage(...page).vitals;

const shift = (startTime: number, value: number, hadRecentInput = false) => ({
  startTime,
  value,
  hadRecentInput,
});

test('reads the first byte, the first paint, and the last of the largest ones', () => {
  const vitals = watch({
    navigation: [{ responseStart: 80 }],
    paint: [
      { name: 'first-paint', startTime: 100 },
      { name: 'first-contentful-paint', startTime: 120 },
    ],
    'largest-contentful-paint': [{ startTime: 130 }, { startTime: 400 }],
  });
  expect(vitals).toEqual({ TTFB: 80, FCP: 120, LCP: 400 });
});

test('a page that was rendered ahead starts when the visitor opens it', () => {
  const vitals = watch({
    navigation: [{ responseStart: 80, activationStart: 300 }],
    'largest-contentful-paint': [{ startTime: 400 }],
  });
  expect(vitals).toEqual({ TTFB: 0, LCP: 100 });
});

test('the INP is the slowest interaction; what no interaction caused does not count', () => {
  const vitals = watch({
    'first-input': [{ duration: 16 }],
    event: [
      { duration: 48, interactionId: 7 },
      { duration: 900, interactionId: 0 },
    ],
  });
  expect(vitals).toMatchObject({ INP: 48 });
});

test('the INP leaves out the slowest of each fifty interactions', () => {
  const event = Array.from({ length: 100 }, (_, index) => ({ duration: index, interactionId: index + 1 }));
  expect(watch({ event: event.slice(0, 49) })?.INP).toBe(48);
  expect(watch({ event: event.slice(0, 50) })?.INP).toBe(48);
  expect(watch({ event })?.INP).toBe(97);
  // The slowest of its events is how long an interaction took.
  const slow = { duration: 500, interactionId: 1 };
  expect(watch({ event: [...event, slow, slow, slow] })?.INP).toBe(98);
});

test('the CLS is the worst five seconds of shifts that the visitor did not cause', () => {
  const near = [shift(100, 0.1), shift(1_000, 0.1), shift(1_500, 9, true)];
  expect(watch({ 'layout-shift': near })?.CLS).toBeCloseTo(0.2);
  const apart = [...near, shift(3_000, 0.15)];
  expect(watch({ 'layout-shift': apart })?.CLS).toBeCloseTo(0.2);
  const long = Array.from({ length: 8 }, (_, index) => shift(10_000 + index * 900, 0.1));
  expect(watch({ 'layout-shift': long })?.CLS).toBeCloseTo(0.6);
});

test('a page without a shift has a CLS of 0', () => {
  expect(watch({ 'layout-shift': [] })).toEqual({ CLS: 0 });
});

test('what happened until the page is hidden counts, and nothing after that', () => {
  const { vitals, untold, changeVisibility } = openPage({ event: [], 'layout-shift': [] });
  untold['event'] = [{ duration: 64, interactionId: 1 }];
  changeVisibility();
  expect(vitals).toEqual({ CLS: 0, INP: 64 });
  untold['event'] = [{ duration: 900, interactionId: 2 }];
  changeVisibility();
  expect(vitals).toEqual({ CLS: 0, INP: 64 });
});

test('a browser that supports nothing of it tells nothing', () => {
  expect(watch({ paint: [{ name: 'first-contentful-paint', startTime: 1 }] }, [])).toEqual({});
  expect(watch({}, undefined)).toEqual({});
});

test('a page that was opened in the background has no vitals', () => {
  expect(watch({}, [], true)).toBeUndefined();
  expect(watch({ 'visibility-state': [{ name: 'hidden' }, { name: 'visible' }] })).toBeUndefined();
});
