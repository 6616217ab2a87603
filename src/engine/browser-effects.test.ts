import { expect, test } from 'vitest';
import { createBrowserEffects } from './browser-effects.ts';

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
