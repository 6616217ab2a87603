import { expect, test, vi } from 'vitest';
import { createBrowserEffects, createBrowserStore } from './browser-effects.ts';

type Entry = Partial<PerformanceResourceTiming>;

/** A page whose browser says this of the timing of each request. */
function openPage(entry: Entry) {
  class FakeObserver {
    readonly #tell: (list: { getEntries: () => Entry[] }) => void;
    constructor(tell: (list: { getEntries: () => Entry[] }) => void) {
      this.#tell = tell;
    }
    observe(): void {
      queueMicrotask(() => this.#tell({ getEntries: () => [entry] }));
    }
    takeRecords = (): Entry[] => [];
    disconnect = (): void => undefined;
  }
  const page = {
    performance: { now: () => 100 },
    PerformanceObserver: FakeObserver,
    setTimeout,
    clearTimeout,
  };
  // As much of a page as the timing needs.
  return createBrowserEffects(page as unknown as Window & typeof globalThis);
}

const URL = 'https://line.example/speed.php';
const read = (entry: Entry) =>
  openPage({ name: URL, startTime: 100, responseStart: 0, responseEnd: 0, ...entry })
    .watchTiming(URL)
    .read(new AbortController().signal);

test('the time of a probe is that of the first byte, or of the last where the line hides the first', async () => {
  expect(await read({ responseStart: 140, responseEnd: 150 })).toBe(40);
  expect(await read({ responseEnd: 150 })).toBe(50);
});

test('a browser that hides both tells nothing, and no time is made up', async () => {
  expect(await read({})).toBeUndefined();
});

test('there is a clock without performance.timeOrigin, which Safari 14 does not have', () => {
  expect(Math.abs(openPage({}).now() - Date.now())).toBeLessThan(10_000);
});

test('today is the number of whole days since 1970 in UTC, to the last millisecond of the day', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) - 1 });
  const { today } = openPage({});
  expect(today()).toBe(20_453);
  vi.setSystemTime(Date.UTC(2026, 0, 1));
  expect(today()).toBe(20_454);
});

test('the browser’s own timing is waited for for 50 ms, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { watchTiming } = openPage({ name: 'https://another.example/speed.php' });
  let told: number | undefined | 'waiting' = 'waiting';
  void watchTiming(URL)
    .read(new AbortController().signal)
    .then((ms) => (told = ms));
  await vi.advanceTimersByTimeAsync(49);
  expect(told).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toBeUndefined();
});

test.each<[string, () => Storage]>([
  [
    'forbids its storage',
    () => {
      throw new DOMException('denied', 'SecurityError');
    },
  ],
  ['has no storage', () => undefined as unknown as Storage],
  [
    'has a storage of no bytes, as private windows had',
    () =>
      ({
        getItem: () => null,
        setItem() {
          throw new DOMException('full', 'QuotaExceededError');
        },
        removeItem: () => undefined,
      }) as unknown as Storage,
  ],
])('a browser that %s keeps nothing, and nothing breaks', (_, open) => {
  const store = createBrowserStore(open);
  store.set('waypost.links', '{}');
  store.remove('waypost.links');
  expect(store.get('waypost.links') ?? undefined).toBeUndefined();
});
