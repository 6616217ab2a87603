import { expect, onTestFinished, test, vi } from 'vitest';
import { createStore } from '../../contract/create-store.ts';
import type { BoardSnapshot } from '../../engine/board/create-line-board.ts';
import { keepPage } from './keep-page.ts';

const NOW = Date.UTC(2026, 10, 16);
const ROW = {
  number: 1,
  isBackup: false,
  speed: { key: 'measured', ms: 40 },
  cause: undefined,
  isFastest: true,
} as const;
const READY: BoardSnapshot = {
  phase: 'ready',
  rows: [
    { ...ROW, host: 'line1.example', address: 'https://www20773.line1.example' },
    { ...ROW, host: 'line2.example', address: 'https://line2.example:9900' },
    { ...ROW, host: 'backup.example', address: 'https://www20773.backup.example', isBackup: true },
  ],
};
const RESTRICTED: BoardSnapshot = { phase: 'restricted', rows: [] };

/** A browser with a cache. `onAdd` is called whenever the page has asked for a file. */
function openPage({ hasWorkers = true, hasStorage = true, onAdd = (): void => undefined } = {}) {
  const kept = new Map<string, unknown>();
  const cache = {
    put: async (path: string, response: Response) => void kept.set(path, await response.json()),
    add: async (url: string) => {
      kept.set(url, 'a file');
      onAdd();
    },
    delete: (url: string) => Promise.resolve(kept.delete(url)),
    keys: () =>
      Promise.resolve([...kept.keys()].map((path) => ({ url: new URL(path, 'https://go.example').href }))),
  };
  const caches = {
    open: () => Promise.resolve(cache),
    delete: () => Promise.resolve(kept.clear()),
  };
  // Also global: the lines are kept by a function that runs in several pages.
  vi.stubGlobal('caches', hasStorage ? caches : undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.setSystemTime(NOW);
  const page = {
    caches: hasStorage ? caches : undefined,
    navigator: { serviceWorker: { register: () => Promise.resolve(hasWorkers ? {} : undefined) } },
    location: { origin: 'https://go.example' },
    performance: {
      getEntriesByType: () =>
        ['/assets/main.js', '/site/logo.svg', '/api/hostnames', 'https://line1.example/assets/x.js'].map(
          (url) => ({ name: new URL(url, 'https://go.example').href }),
        ),
    },
  };
  const board = createStore<BoardSnapshot>(READY);
  // As much of a window as it uses.
  return { kept, board, keep: () => keepPage(page as never, board) };
}

test('keeps the lines of its rows, its shell and its own files', async () => {
  const { kept, keep } = openPage();
  kept.set('https://go.example/assets/old.js', 'a file');
  await keep();
  expect(kept.get('/api/hostnames')).toEqual({
    at: NOW,
    hosts: ['line1.example', { host: 'line2.example', noWWW: true }],
  });
  expect([...kept.keys()].toSorted()).toEqual([
    '/api/hostnames',
    '/offline/',
    '/offline/away',
    'https://go.example/assets/main.js',
    'https://go.example/site/logo.svg',
  ]);
});

test('keeps no shell without its files, whenever the visitor leaves', async () => {
  const steps: (readonly string[])[] = [];
  const { kept, keep } = openPage({ onAdd: () => void steps.push([...kept.keys()]) });
  kept.set('https://go.example/assets/old.js', 'a file');
  await keep();
  const shellAt = steps.findIndex((paths) => paths.includes('/offline/'));
  expect(steps[shellAt]).toContain('https://go.example/assets/main.js');
  expect(steps[shellAt]).toContain('https://go.example/site/logo.svg');
  // Until then there may be a shell of another day, which needs its own.
  expect(steps.every((paths) => paths.includes('https://go.example/assets/old.js'))).toBe(true);
});

test('keeps no files where no worker would use them', async () => {
  const { kept, keep } = openPage({ hasWorkers: false });
  await keep();
  expect([...kept.keys()]).toEqual(['/api/hostnames']);
});

test('a region that is not served keeps nothing, whether the portal says so before, meanwhile or later', async () => {
  const before = openPage();
  before.kept.set('/api/hostnames', 'of another day');
  before.board.set(RESTRICTED);
  await before.keep();
  expect(before.kept.size).toBe(0);

  // Once, as a portal says it: what is kept after that must be removed, too.
  const refuseOnce = (): void => {
    if (meanwhile.board.getSnapshot() !== RESTRICTED) meanwhile.board.set(RESTRICTED);
  };
  const meanwhile = openPage({ onAdd: refuseOnce });
  await meanwhile.keep();
  expect(meanwhile.kept.size).toBe(0);

  const later = openPage();
  await later.keep();
  expect(later.kept.size).toBeGreaterThan(0);
  later.board.set(RESTRICTED);
  await vi.waitFor(() => expect(later.kept.size).toBe(0));
});

test('a browser without the storage lets everybody else hear that the region is not served', async () => {
  const { board, keep } = openPage({ hasStorage: false });
  await expect(keep()).rejects.toThrow(TypeError);
  const heard: string[] = [];
  board.subscribe(() => heard.push(board.getSnapshot().phase));
  board.set(RESTRICTED);
  expect(heard).toEqual(['restricted']);
});

test('lines that come late, because the hostname call took its time, are kept, too', async () => {
  const { kept, board, keep } = openPage();
  board.set({ phase: 'loading', rows: READY.rows.filter(({ isBackup }) => isBackup) });
  await keep();
  expect(kept.has('/api/hostnames')).toBe(false);
  board.set(READY);
  await vi.waitFor(() =>
    expect(kept.get('/api/hostnames')).toEqual({
      at: NOW,
      hosts: ['line1.example', { host: 'line2.example', noWWW: true }],
    }),
  );
});
