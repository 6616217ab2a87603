import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Counts, addCounts, createCounts, openTally, openVoter } from '../learning/counts.ts';
import type { ClosedWindow, MeasurementStore } from '../learning/store/measurement-store.ts';

export type StoreWorld = {
  /** Opens a store in the same place as any other of this world. */
  readonly open: () => Promise<MeasurementStore>;
  /** Lets the window that is open close. */
  readonly closeWindow: () => Promise<void>;
  readonly dispose: () => Promise<void>;
};

/** What every store must do. */
export function describeStore(name: string, createWorld: () => Promise<StoreWorld>): void {
  describe(`the ${name} store`, () => {
    let world: StoreWorld | undefined;
    const stores: MeasurementStore[] = [];

    async function open(): Promise<MeasurementStore> {
      world ??= await createWorld();
      const store = await world.open();
      stores.push(store);
      return store;
    }

    afterEach(async () => {
      for (const store of stores.splice(0)) await store.close();
      await world?.dispose();
      world = undefined;
    });

    /** Reads on until something has closed. */
    async function readNext(store: MeasurementStore, since = 0): Promise<readonly ClosedWindow[]> {
      await world?.closeWindow();
      return vi.waitFor(async () => {
        const { windows } = await store.readSince(since);
        expect(windows).not.toEqual([]);
        return windows;
      });
    }

    test('hands out what was counted when its window has closed, and not before', async () => {
      const store = await open();
      const { windows: none } = await store.readSince(0);
      expect(none).toEqual([]);
      const counts = createCounts();
      openVoter(counts, 'GB/AS1', 7).set('line-a', {
        reached: 2,
        failed: 1.3,
        lost: 1,
        times: 2,
        sumLnMs: 9.211,
      });
      const tally = openTally(counts, 'line-a');
      Object.assign(tally, { handedOut: 5, visits: 1.417, tried: 3, reached: 2, entered: 1 });
      tally.times.set(0, 1).set(23, 1);
      Object.assign(counts.site, { hostnameCalls: 5, reports: 3, entered: 2, times: new Map([[4, 2]]) });
      store.add(counts);
      store.add(countReached(3));
      const expected = addUp([{ counts }, { counts: countReached(3) }]);
      expect(addUp(await readNext(store))).toEqual(expected);
    });

    test('hands each window out once to whoever has read up to it, in their order', async () => {
      const store = await open();
      store.add(countReached(1));
      const first = await readNext(store);
      store.add(countReached(10));
      const last = first.at(-1)?.number ?? 0;
      const second = await readNext(store, last);
      expect(addUp(first)).toEqual(countReached(1));
      expect(addUp(second)).toEqual(countReached(10));
      expect(second[0]?.number).toBeGreaterThan(last);
      expect((await store.readSince(second.at(-1)?.number ?? 0)).windows).toEqual([]);
    });

    test('numbers its windows by the time', async () => {
      const store = await open();
      store.add(countReached(1));
      const [window] = await readNext(store);
      expect(Math.abs((window?.number ?? 0) * store.windowMs - Date.now())).toBeLessThan(60_000);
    });

    test('keeps a snapshot, bytes and all, for whoever comes next', async () => {
      const store = await open();
      expect(await store.loadSnapshot()).toBeUndefined();
      const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
      expect(await store.saveSnapshot({ folds: 1, bytes: Buffer.from('older') })).toBe(1);
      expect(await store.saveSnapshot({ folds: 2, bytes })).toBe(2);
      const other = await open();
      expect(await other.loadSnapshot()).toEqual(bytes);
    });

    test('loses nothing when it is closed', async () => {
      const store = await open();
      store.add(countReached(7));
      stores.length = 0;
      const last = await store.close();
      const windows = last ? [last] : await readNext(await open());
      expect(addUp(windows)).toEqual(countReached(7));
    });
  });
}

/** What is counted where so many visitors reached a line, in 100 ms each. */
function countReached(visitors: number): Counts {
  const counts = createCounts();
  const sumLnMs = (4_605 * visitors) / 1_000;
  const seen = { reached: visitors, failed: 0, lost: 0, times: visitors, sumLnMs };
  openVoter(counts, 'GB/AS1', 7).set('line-a', seen);
  return counts;
}

/** The sum of some windows: where counts fall on two of them, that is nobody's fault. */
export function addUp(windows: readonly { readonly counts: Counts }[]): Counts {
  const sum = createCounts();
  for (const { counts } of windows) addCounts(sum, counts);
  return sum;
}
