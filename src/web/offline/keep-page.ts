import { HOSTNAMES_PATH, OFFLINE_SHELL_PATHS, OFFLINE_WORKER_PATH } from '../../contract/paths.ts';
import { OFFLINE_CACHE } from '../../contract/page/storage-keys.ts';
import type { LineBoard } from '../../engine/board/create-line-board.ts';
import { keepLines } from './keep-lines.ts';

/** The paths of the files that are kept with the page. The service worker answers these, and no others. */
export const KEPT_FILES = /^\/(?:assets|site)\//;

/**
 * Keeps the lines of the landing page, its shell and its files, and lets the browser start the service worker. Rejects where
 * the browser cannot keep them.
 */
export async function keepPage(
  page: Window & typeof globalThis,
  board: Pick<LineBoard, 'getSnapshot' | 'subscribe'>,
): Promise<void> {
  const isRestricted = (): boolean => board.getSnapshot().phase === 'restricted';
  const forget = (): Promise<unknown> => page.caches.delete(OFFLINE_CACHE);
  // The portal may refuse the region late, or at a retest.
  board.subscribe(() => isRestricted() && void forget());
  if (isRestricted()) return void (await forget());
  const hosts = board
    .getSnapshot()
    .rows.flatMap(({ host, address, isBackup }) =>
      host === undefined || address === undefined || isBackup ? [] : [writeHost(host, address)],
    );
  await keepLines(HOSTNAMES_PATH, hosts, true);
  // A browser without service workers rejects. Where they are turned off, some browsers resolve with nothing.
  const worker: unknown = await page.navigator.serviceWorker.register(OFFLINE_WORKER_PATH);
  if (!worker) return;
  const cache = await page.caches.open(OFFLINE_CACHE);
  await Promise.all([cache.add(OFFLINE_SHELL_PATHS.landing), keepFiles(page, cache)]);
  // The region may have been refused meanwhile.
  if (isRestricted()) await forget();
}

/** A row's host as an entry that leads to the same address. */
function writeHost(host: string, address: string): unknown {
  // The day's name is drawn anew when the entry is used.
  return /^www\d+\./.test(new URL(address).hostname) ? host : { host, noWWW: true };
}

/** Keeps the files that this page has loaded. They come out of the browser's HTTP cache. */
async function keepFiles(page: Window & typeof globalThis, cache: Cache): Promise<void> {
  const loaded = page.performance.getEntriesByType('resource').map(({ name }) => name);
  const wanted = new Set(loaded.filter(isFile));
  const kept = (await cache.keys()).map(({ url }) => url).filter(isFile);
  await Promise.all([
    ...kept.filter((url) => !wanted.has(url)).map((url) => cache.delete(url)),
    ...[...wanted].filter((url) => !kept.includes(url)).map((url) => cache.add(url)),
  ]);

  function isFile(url: string): boolean {
    const { origin, pathname } = new URL(url);
    return origin === page.location.origin && KEPT_FILES.test(pathname);
  }
}
