import { RESULT_CACHE_MS } from '../../contract/limits.ts';
import { parseHost } from '../../contract/site/parse-host.ts';
import type { SpeedResult } from '../../contract/api/speed-result.ts';
import { RESULTS_KEY } from '../../contract/page/storage-keys.ts';
import type { Effects, KeyValueStore } from '../effects/effects.ts';

export type CachedResult = SpeedResult & { readonly address: string };

export type ResultCache = {
  /** The host's result of the last 10 seconds, if there is one. */
  readonly get: (host: string) => CachedResult | undefined;
  readonly put: (address: string, result: SpeedResult) => void;
  readonly clear: () => void;
};

type StoredResult = CachedResult & { readonly at: number };

/** Creates the cache of results. It keeps each host's last result for 10 seconds, across navigations. */
export function createResultCache({
  now,
  store,
}: Pick<Effects, 'now'> & { store: KeyValueStore }): ResultCache {
  function readFresh(): readonly StoredResult[] {
    // An entry from the future was written before the clock was set back. Its age is unknown.
    return readStored(store).filter(({ at }) => now() >= at && now() - at < RESULT_CACHE_MS);
  }
  return {
    get: (host) => readFresh().find((entry) => entry.host === host),
    put(address, result) {
      const others = readFresh().filter(({ host }) => host !== result.host);
      store.set(RESULTS_KEY, JSON.stringify([...others, { ...result, address, at: now() }]));
    },
    clear: () => store.remove(RESULTS_KEY),
  };
}

function readStored(store: KeyValueStore): readonly StoredResult[] {
  try {
    // Anything but a list throws here, and is caught below.
    return (JSON.parse(store.get(RESULTS_KEY) ?? '') as unknown[]).filter(isStoredResult);
  } catch {
    return []; // Nothing is kept, or it is not ours.
  }
}

/** Others may have written to the storage. A row links to the address, so it must be a plain host. */
function isStoredResult(value: unknown): value is StoredResult {
  const { address, time, at } = Object(value) as StoredResult;
  return typeof address === 'string' && parseHost(address).kind === 'host' && Number.isFinite(time + at);
}
