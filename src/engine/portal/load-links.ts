import { JSON_TIMEOUT_MS, LINKS_BACKOFF_MS, LINKS_PATIENCE_MS, LINKS_TRIES } from '../../contract/limits.ts';
import { type LinksConfig, parseLinks } from '../../contract/site/links-config.ts';
import { LINKS_PATH } from '../../contract/paths.ts';
import { LAST_LINKS_KEY } from '../../contract/page/storage-keys.ts';
import type { Effects, KeyValueStore } from '../effects/effects.ts';
import { type JsonAnswer, requestJson } from './request-json.ts';
import { wait } from '../effects/wait.ts';

export type LoadedLinks =
  | { readonly kind: 'loaded'; readonly links: LinksConfig }
  /** `kept`: the last good config of this browser, if there is one. */
  | { readonly kind: 'failed'; readonly kept: LinksConfig | undefined };

export type LinksEffects = Pick<Effects, 'fetch' | 'setTimer'> & {
  /** Where the last good config is kept. */
  readonly store: KeyValueStore;
};

export type LinksLoading = {
  /** Called after 3 s with the browser's last good config, if there is one. */
  readonly onKept: (links: LinksConfig) => void;
  /** True if the page has tried before: then it does not wait for the preloaded answer again. */
  readonly isAgain?: boolean;
};

/** Loads the links config with three tries, each with a request of its own. The site starts only with it. */
export async function loadLinks(
  signal: AbortSignal,
  { store, ...effects }: LinksEffects,
  { onKept, isAgain }: LinksLoading,
): Promise<LoadedLinks> {
  const stopWaiting = effects.setTimer(() => {
    const kept = readKept(store);
    if (kept) onKept(kept);
  }, LINKS_PATIENCE_MS);
  let links: LinksConfig | undefined;
  for (let tries = 0; tries < LINKS_TRIES && !links && !signal.aborted; tries += 1) {
    if (tries > 0) await wait(LINKS_BACKOFF_MS * 2 ** (tries - 1), signal, effects.setTimer);
    // `default` is the mode of `<link rel="preload" as="fetch">`: the browser uses the preloaded answer. If that hangs, the
    // preload goes on when the try is over, and a second such request would wait for it.
    const cache = tries > 0 || isAgain ? undefined : 'default';
    links = parseLinks((await requestLinks(signal, effects, cache))?.body);
  }
  stopWaiting();
  if (!links) return { kind: 'failed', kept: readKept(store) };
  // Later, because a page waits for the disk when it first touches the storage. The probes leave before.
  effects.setTimer(() => store.set(LAST_LINKS_KEY, JSON.stringify(links)), 0);
  return { kind: 'loaded', links };
}

/**
 * Waits for the links config on a page that shows no links: one try. If this browser has kept a config, it waits for 3 s at
 * most. Nothing of the content is used.
 */
export function waitForLinks(signal: AbortSignal, { store, ...effects }: LinksEffects): Promise<unknown> {
  const loading: Promise<unknown> = requestLinks(signal, effects);
  const patience = wait(LINKS_PATIENCE_MS, signal, effects.setTimer);
  // If the race is over, the page is leaving, so the storage is not read.
  return Promise.race([loading, patience.then(() => signal.aborted || store.get(LAST_LINKS_KEY) || loading)]);
}

function requestLinks(
  signal: AbortSignal,
  effects: Pick<Effects, 'fetch' | 'setTimer'>,
  cache?: RequestCache,
): Promise<JsonAnswer | undefined> {
  return requestJson(LINKS_PATH, { timeoutMs: JSON_TIMEOUT_MS, signal, cache }, effects);
}

/** The kept config passes the same checks as a loaded one, because others may have written to the storage. */
function readKept(store: KeyValueStore): LinksConfig | undefined {
  try {
    return parseLinks(JSON.parse(store.get(LAST_LINKS_KEY) ?? ''));
  } catch {
    return undefined; // Nothing is kept, or it was cut off.
  }
}
