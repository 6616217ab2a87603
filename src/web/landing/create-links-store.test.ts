import { describe, expect, test } from 'vitest';
import type { LoadedLinks } from '../../engine/portal/load-links.ts';
import { createLinksStore } from './create-links-store.ts';

const rendered = { service: 'https://rendered.example/' };
const loaded = { kind: 'loaded', links: { service: 'https://loaded.example/' } } as const;
const kept = { service: 'https://last.example/' };

/** A store whose loads end with these answers, one after the other. */
function openStore(...answers: LoadedLinks[]) {
  const seen: string[] = [];
  let starts = 0;
  const store = createLinksStore({
    rendered,
    loadLinks: () => Promise.resolve(answers.shift() ?? { kind: 'failed', kept: undefined }),
    onUsable: () => (starts += 1),
  });
  store.subscribe(() => seen.push(store.getSnapshot().kind));
  return { store, seen, starts: () => starts };
}

describe('createLinksStore', () => {
  test('has the rendered links until others have loaded, and starts the site then', async () => {
    const { store, seen, starts } = openStore(loaded);
    expect(store.getSnapshot()).toEqual({ kind: 'loading', links: rendered });
    expect(starts()).toBe(0);
    await store.load();
    expect(store.getSnapshot()).toEqual(loaded);
    expect(seen).toEqual(['loaded']);
    expect(starts()).toBe(1);
  });

  test('does not start the site without links, and does so when a later try succeeds', async () => {
    const { store, starts } = openStore({ kind: 'failed', kept: undefined }, loaded);
    await store.load();
    expect(store.getSnapshot()).toEqual({ kind: 'failed', links: rendered });
    expect(starts()).toBe(0);
    await store.load();
    expect(store.getSnapshot()).toEqual(loaded);
    expect(starts()).toBe(1);
  });

  test('says which load is not the first', async () => {
    const seen: unknown[] = [];
    const store = createLinksStore({
      rendered,
      loadLinks: ({ isAgain }) => {
        seen.push(isAgain);
        return Promise.resolve({ kind: 'failed', kept: undefined });
      },
      onUsable: () => undefined,
    });
    await store.load();
    await store.load();
    expect(seen).toEqual([false, true]);
  });

  test('starts the site with the last good links, and only once', async () => {
    const { store, starts } = openStore({ kind: 'failed', kept }, { kind: 'failed', kept }, loaded);
    await store.load();
    expect(store.getSnapshot()).toEqual({ kind: 'stale', links: kept });
    await store.load();
    await store.load();
    expect(store.getSnapshot()).toEqual(loaded);
    expect(starts()).toBe(1);
  });

  test('starts the site with the kept links while the new ones are slow, and takes those when they come', async () => {
    const seen: unknown[] = [];
    let starts = 0;
    const store = createLinksStore({
      rendered,
      loadLinks: ({ onKept }) => {
        onKept(kept);
        return Promise.resolve(loaded);
      },
      onUsable: () => (starts += 1),
    });
    store.subscribe(() => seen.push(store.getSnapshot()));
    await store.load();
    expect(seen).toEqual([{ kind: 'kept', links: kept }, loaded]);
    expect(starts).toBe(1);
    // The page has newer ones by now.
    await store.load();
    expect(seen).toHaveLength(3);
    expect(store.getSnapshot()).toEqual(loaded);
  });
});
