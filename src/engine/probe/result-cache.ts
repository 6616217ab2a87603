import { RESULT_CACHE_MS } from '../../contract/limits.ts';
import { parseHost } from '../../contract/site/parse-host.ts';
import type { SpeedResult } from '../../contract/api/speed-result.ts';
import { RESULTS_KEY } from '../../contract/page/storage-keys.ts';
import type { Effects, KeyValueStore } from '../effects/effects.ts';

export type CachedResult = SpeedResult & { readonly address: string };

export type ResultCache = {
  /** The result of the last 10 seconds, if there is one. */
  readonly get: (host: string) => CachedResult | undefined;
  readonly put: (address: string, result: SpeedResult) => void;
  readonly clear: () => void;
};

type StoredResult = CachedResult & { readonly at: number };

/** Keeps each host's last result for 10 seconds, in a store that outlives a navigation. */
export function createResultCache({
  now,
  store,
}: Pick<Effects, 'now'> & { store: KeyValueStore }): ResultCache {
  function readFresh(): readonly StoredResult[] {
    // An entry from the future was written before the clock was set back: nobody knows its age.
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
    // What is no list has no filter, and ends below.
    return (JSON.parse(store.get(RESULTS_KEY) ?? '') as unknown[]).filter(isStoredResult);
  } catch {
    return []; // Nothing kept yet, cut off, or not ours.
  }
}

/** What this module did not write, or an older version of it did, is no result. A row leads to its address. */
function isStoredResult(value: unknown): value is StoredResult {
  const { address, time, at } = Object(value) as StoredResult;
  return typeof address === 'string' && parseHost(address).kind === 'host' && Number.isFinite(time + at);
}
