import type { KeptLines } from '../../contract/page/kept-lines.ts';
import { OFFLINE_CACHE } from '../../contract/page/storage-keys.ts';
import { OFFLINE_WORKER_PATH } from '../../contract/paths.ts';

/**
 * Keeps the lines that a call has answered, if it may. Without a list the site is closed for this visitor, and everything that
 * was kept is removed.
 */
export async function keepLines(
  call: string,
  hosts: KeptLines['hosts'] | undefined,
  mayKeep: boolean | undefined,
): Promise<void> {
  try {
    if (!hosts) await caches.delete(OFFLINE_CACHE);
    // If the portal hands out no line, those of the last visit stay.
    else if (mayKeep && hosts[0]) {
      const cache = await caches.open(OFFLINE_CACHE);
      const lines: KeptLines = { at: Date.now(), hosts };
      await cache.put(call, new Response(JSON.stringify(lines)));
    }
  } catch {
    // The browser lacks the storage, denies it, or is full. The page works without it.
  }
}

/** Lets the browser start the service worker. */
export async function registerWorker(): Promise<void> {
  try {
    await navigator.serviceWorker.register(OFFLINE_WORKER_PATH);
  } catch {
    // The browser has no workers, or denies them.
  }
}
