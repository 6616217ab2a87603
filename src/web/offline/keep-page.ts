import { HOSTNAMES_PATH, OFFLINE_SHELL_PATHS, OFFLINE_WORKER_PATH } from '../../contract/paths.ts';
import { OFFLINE_CACHE } from '../../contract/page/storage-keys.ts';
import { type BoardSnapshot, type LineBoard, isClosed } from '../../engine/board/create-line-board.ts';
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
  const isRefused = (): boolean => isClosed(board.getSnapshot().phase);
  const forget = async (): Promise<unknown> => page.caches.delete(OFFLINE_CACHE);
  // The portal may refuse this visitor late, or at a retest. On `http:` there is no such storage; an error here would keep what the
  // board says from those who subscribed later.
  board.subscribe(() => isRefused() && void forget().catch(() => undefined));
  if (isRefused()) return void (await forget());
  let written = '';
  const keepRows = async (): Promise<void> => {
    const hosts = listHosts(board.getSnapshot());
    if (isRefused() || written === JSON.stringify(hosts)) return;
    written = JSON.stringify(hosts);
    await keepLines(HOSTNAMES_PATH, hosts, true);
  };
  await keepRows();
  // The hostname call may take up to 30 s. This page keeps its answer, because the worker does not.
  board.subscribe(() => void keepRows());
  // A browser without service workers rejects. Where they are turned off, some browsers resolve with nothing.
  const worker: unknown = await page.navigator.serviceWorker.register(OFFLINE_WORKER_PATH);
  if (!worker) return;
  const cache = await page.caches.open(OFFLINE_CACHE);
  const wanted = listFiles(page);
  const kept = (await cache.keys()).map(({ url }) => url);
  // New files are stored before the new shell, and old files are deleted after it, because the visitor may leave at any
  // moment.
  await Promise.all(wanted.filter((url) => !kept.includes(url)).map((url) => cache.add(url)));
  await Promise.all([OFFLINE_SHELL_PATHS.away, OFFLINE_SHELL_PATHS.landing].map((path) => cache.add(path)));
  const old = kept.filter((url) => isFile(page, url) && !wanted.includes(url));
  await Promise.all(old.map((url) => cache.delete(url)));
  // The visitor may have been refused meanwhile.
  if (isRefused()) await forget();
}

/** The lines among the rows, as entries of a list. */
function listHosts({ rows }: BoardSnapshot): readonly unknown[] {
  return rows.flatMap(({ host, address, isBackup }) =>
    host === undefined || address === undefined || isBackup ? [] : [writeHost(host, address)],
  );
}

/** A row's host as an entry that leads to the same address. */
function writeHost(host: string, address: string): unknown {
  // A new day's name is drawn when the entry is used.
  return /^www\d+\./.test(new URL(address).hostname) ? host : { host, noWWW: true };
}

/** The files that this page has loaded. They come out of the browser's HTTP cache. */
function listFiles(page: Window & typeof globalThis): readonly string[] {
  const loaded = page.performance.getEntriesByType('resource').map(({ name }) => name);
  return [...new Set(loaded)].filter((url) => isFile(page, url));
}

function isFile(page: Window, url: string): boolean {
  const { origin, pathname } = new URL(url);
  return origin === page.location.origin && KEPT_FILES.test(pathname);
}
