import type { LinksConfig } from '../../contract/site/links-config.ts';
import type { LoadedLinks } from '../../engine/portal/load-links.ts';
import { type Store, createStore } from '../../contract/store.ts';

export type LinksState = {
  /**
   * `kept`: it is slow, and the last good config of this browser is used meanwhile. `stale`: it failed to load, and that
   * one is used from now on.
   */
  readonly kind: 'loading' | 'kept' | 'loaded' | 'stale' | 'failed';
  readonly links: LinksConfig;
};

export type LinksStore = Store<LinksState> & {
  /** Loads the links config; again, where it failed before. */
  readonly load: () => Promise<void>;
};

export type LinksStoreSettings = {
  /** The links that the page was rendered with. */
  readonly rendered: LinksConfig;
  readonly loadLinks: (onKept: (links: LinksConfig) => void) => Promise<LoadedLinks>;
  /** Called once, with the first links that are good enough to start the site. */
  readonly onUsable: () => void;
};

/** Creates the links of the page. The site starts only with them. */
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
      // A site that has started goes on with the links that it has.
      const loaded = await loadLinks((links) => hasStarted || take({ kind: 'kept', links }));
      if (loaded.kind === 'loaded') return take(loaded);
      const { lastGood = getSnapshot().links } = loaded;
      take({ kind: loaded.lastGood || hasStarted ? 'stale' : 'failed', links: lastGood });
    },
  };
}
