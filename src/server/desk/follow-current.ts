import type { Logger } from 'pino';
import type { SiteKeeper } from '../site/keep-site.ts';
import { loadSiteFiles } from '../site/load-site.ts';
import type { VersionStore } from './version-store.ts';

export type FollowCurrentDeps = {
  readonly versions: VersionStore;
  readonly keeper: Pick<SiteKeeper, 'current' | 'replace'>;
  readonly siteDir: string;
  /** Called when a version is served that was not. */
  readonly onServe: () => void;
  readonly log: Logger;
};

/**
 * Serves the current version if another one is served. A disk with a fault, or one that is slow, may have made a version current
 * although its publisher was told otherwise. Returns what is to be repeated; it never fails.
 */
export function followCurrent(deps: FollowCurrentDeps): () => Promise<void> {
  const { versions, keeper, siteDir, onServe, log } = deps;
  const isServed = (): boolean => keeper.current().version === versions.currentNumber();
  let lastFault = '';
  return async () => {
    if (isServed()) return;
    try {
      await keeper.replace(
        async (onLookupFault) => {
          // Somebody was publishing it.
          if (isServed()) return undefined;
          const { number, files: manifest } = await versions.read(versions.currentNumber());
          const files = await versions.readFiles(manifest);
          return { ...(await loadSiteFiles({ files }, siteDir, onLookupFault)), version: number };
        },
        async () => onServe(),
      );
      lastFault = '';
    } catch (error) {
      // Once, and not each time.
      if (String(error) !== lastFault)
        log.error({ err: error, version: versions.currentNumber() }, 'the current version cannot be served');
      lastFault = String(error);
    }
  };
}
