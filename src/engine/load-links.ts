import { LINKS_BACKOFF_MS, LINKS_TRIES } from '../contract/limits.ts';
import type { LinksConfig } from '../contract/links-config.ts';
import { LAST_LINKS_KEY } from '../contract/storage-keys.ts';
import type { Effects, KeyValueStore } from './effects.ts';
import { fetchLinks } from './fetch-links.ts';
import { wait } from './wait.ts';

export type LoadedLinks =
  | { readonly kind: 'loaded'; readonly links: LinksConfig }
  /** With the last good config that this browser has seen, if there is one. */
  | { readonly kind: 'failed'; readonly lastGood: LinksConfig | undefined };

/** Loads the links config, with three tries; the site starts only with it. */
export async function loadLinks(
  signal: AbortSignal,
  { store, ...effects }: Pick<Effects, 'fetch' | 'setTimer'> & { readonly store: KeyValueStore },
): Promise<LoadedLinks> {
  for (let tries = 0; tries < LINKS_TRIES && !signal.aborted; tries += 1) {
    if (tries > 0) await wait(LINKS_BACKOFF_MS * 2 ** (tries - 1), signal, effects.setTimer);
    const links = await fetchLinks(signal, effects);
    if (links) {
      store.set(LAST_LINKS_KEY, JSON.stringify(links));
      return { kind: 'loaded', links };
    }
  }
  return { kind: 'failed', lastGood: readLastGood(store) };
}

function readLastGood(store: KeyValueStore): LinksConfig | undefined {
  try {
    // Written below, and so parsed before.
    return JSON.parse(store.get(LAST_LINKS_KEY) ?? '') as LinksConfig;
  } catch {
    return undefined; // Nothing kept yet.
  }
}
