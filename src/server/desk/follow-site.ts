import type { Logger } from 'pino';
import type { SiteKeeper } from '../site/keep-site.ts';
import { loadSiteFiles } from '../site/load-site.ts';
import { type News, isAway } from '../store/database.ts';
import type { LastGood } from '../store/open-last-good.ts';
import type { VersionSource } from './create-version-source.ts';
import type { DeskStores } from './open-desk-stores.ts';
import { keepCopy } from './version-copy.ts';

export type FollowSiteDeps = {
  readonly stores: Pick<DeskStores, 'versions' | 'files'>;
  readonly source: Pick<VersionSource, 'isBehind' | 'setBehind'>;
  readonly keeper: Pick<SiteKeeper, 'current' | 'replace'>;
  readonly siteDir: string;
  /** Undefined where the versions are in the data folder themselves. */
  readonly lastGood: LastGood | undefined;
  readonly log: Pick<Logger, 'error' | 'info'>;
};

export type SiteFollower = {
  /** Serves the version that is live, also if another portal or a command made it. Rejects while the database is away. */
  readonly follow: (news: News) => Promise<void>;
  /** Tries again to serve a version that could not be served. It never rejects. */
  readonly retry: () => Promise<void>;
};

export function followSite(deps: FollowSiteDeps): SiteFollower {
  const { stores, source, keeper, siteDir, lastGood, log } = deps;
  const { versions, files } = stores;
  let lastFault = '';
  let copied = 0;

  return {
    follow: async ({ isRewound }) => {
      // Another version may have the number of the one that is served.
      if (isRewound) {
        source.setBehind(true);
        copied = 0;
      }
      await follow();
    },
    retry: async () => {
      if (lastFault !== '') await follow().catch(() => undefined);
    },
  };

  async function follow(): Promise<void> {
    try {
      await serveCurrent();
      lastFault = '';
      await copyCurrent();
    } catch (error) {
      if (isAway(error)) throw error;
      // The same fault is logged once.
      if (String(error) !== lastFault) {
        log.error(
          { err: error, served: keeper.current().version },
          'the version that is live cannot be served here: this portal goes on with the one before, and tries again',
        );
      }
      lastFault = String(error);
    }
  }

  async function serveCurrent(): Promise<void> {
    if (isServed(await versions.currentNumber())) return;
    await keeper.replace(
      async (onLookupFault) => {
        const current = await versions.findCurrent();
        // The person who publishes it on this portal may have served it meanwhile.
        if (current === undefined || isServed(current.number)) return undefined;
        const { number, at, by, from, why } = current;
        const loaded = await loadSiteFiles(
          { files: await files.readFiles(current.files) },
          siteDir,
          onLookupFault,
        );
        log.info({ version: number, at, by, from, why }, 'version taken over');
        return { ...loaded, version: number };
      },
      async () => source.setBehind(false),
    );
  }

  function isServed(number: number): boolean {
    return keeper.current().version === number && !source.isBehind();
  }

  async function copyCurrent(): Promise<void> {
    const { version } = keeper.current();
    if (lastGood === undefined || version === copied) return;
    const { number, files: manifest } = await versions.read(version);
    const copy = { number, files: await files.readFiles(manifest) };
    // Nobody waits for it: a disk that hangs must not hold up the next version.
    void keepCopy(lastGood, copy);
    copied = version;
  }
}
