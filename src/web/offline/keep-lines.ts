import type { KeptLines } from '../../contract/page/kept-lines.ts';
import { OFFLINE_CACHE } from '../../contract/page/storage-keys.ts';
import { OFFLINE_WORKER_PATH } from '../../contract/paths.ts';

/**
 * Keeps the lines that a call has answered, if it may, and lets the browser start the service worker. Without a list the region is
 * not served, and everything that was kept is removed.
 */
export async function keepLines(
  call: string,
  hosts: KeptLines['hosts'] | undefined,
  mayKeep: boolean | undefined,
): Promise<void> {
  try {
    if (!hosts) await caches.delete(OFFLINE_CACHE);
    else if (mayKeep) {
      const lines: KeptLines = { at: Date.now(), hosts };
      // Both begin at once, because `/r` is gone soon.
      await Promise.all([
        navigator.serviceWorker.register(OFFLINE_WORKER_PATH),
        // While the portal hands out no line, the last ones count.
        hosts[0] &&
          caches.open(OFFLINE_CACHE).then((cache) => cache.put(call, new Response(JSON.stringify(lines)))),
      ]);
    }
  } catch {
    // The browser lacks the storage or the worker, denies it, or is full. Then the page is as it is without.
  }
}
