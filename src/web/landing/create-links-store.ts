import type { LinksConfig } from '../../contract/site/links-config.ts';
import type { LinksLoading, LoadedLinks } from '../../engine/portal/load-links.ts';
import { type Store, createStore } from '../../contract/create-store.ts';

export type LinksState = {
  /**
   * `kept`: loading is slow, and the browser's last good config is used meanwhile. `stale`: loading failed, and the
   * last good config is used.
   */
  readonly kind: 'loading' | 'kept' | 'loaded' | 'stale' | 'failed';
  readonly links: LinksConfig;
};

export type LinksStore = Store<LinksState> & {
  /** Loads the links config, or tries again after a failure. */
  readonly load: () => Promise<void>;
};

export type LinksStoreSettings = {
  /** The links that the page was rendered with. */
  readonly rendered: LinksConfig;
  readonly loadLinks: (loading: LinksLoading) => Promise<LoadedLinks>;
  /** Called once, as soon as there are links with which the site can start. */
  readonly onUsable: () => void;
};

/** Creates the store of the page's links. The site starts only with them. */
export function createLinksStore({ rendered, loadLinks, onUsable }: LinksStoreSettings): LinksStore {
  const { getSnapshot, subscribe, set } = createStore<LinksState>({ kind: 'loading', links: rendered });
  let hasStarted = false;

  function take(next: LinksState): void {
    set(next);
    if (!hasStarted && next.kind !== 'failed') {
      hasStarted = true;
      onUsable();
    }
  }

  return {
    getSnapshot,
    subscribe,
    async load() {
      const loaded = await loadLinks({
        // A site that has started keeps its links.
        onKept: (links) => hasStarted || take({ kind: 'kept', links }),
        isAgain: getSnapshot().kind !== 'loading',
      });
      if (loaded.kind === 'loaded') return take(loaded);
      const { kept } = loaded;
      take({ kind: kept || hasStarted ? 'stale' : 'failed', links: kept ?? getSnapshot().links });
    },
  };
}
