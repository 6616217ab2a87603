import type { Logger } from 'pino';
import { type LoadedSite, SiteError, loadSite } from './load-site.ts';
import { type PublishDeps, type PublishedSite, publishSite, rerenderSite } from './publish-site.ts';
import { UnsettledFolderError, fingerprintFolder } from './read-site-folder.ts';
import { watchFolder } from './watch-folder.ts';

export type SiteKeeper = {
  readonly current: () => PublishedSite;
  /** Loads the folder anew if it has changed and is quiet again. To be repeated, see `watchFolder`. */
  readonly look: () => Promise<void>;
  /** Renders the pages anew, for a new day. */
  readonly rerender: () => Promise<void>;
};

export type KeeperDeps = PublishDeps & {
  readonly dir: string;
  readonly log: Logger;
  /** Told of each version that goes live, and of each change that was refused. */
  readonly onPublish: (version: number) => void;
  readonly onRefuse: () => void;
};

/** Loads a site folder, and keeps the last good state of it published whatever becomes of the folder. */
export async function keepSite({ dir, log, onPublish, onRefuse, ...deps }: KeeperDeps): Promise<SiteKeeper> {
  let loaded = await loadSite(dir);
  let published = await publishSite(loaded, 1, deps);
  announce(published, loaded);

  // One at a time: a page rendered for midnight must not replace one of a newer folder.
  let queue: Promise<void> = Promise.resolve();
  const enqueue = (job: () => Promise<void>): Promise<void> => (queue = queue.then(job, job));

  const reload = async (): Promise<void> => {
    try {
      const next = await loadSite(dir);
      published = await publishSite(next, published.version + 1, deps);
      loaded = next;
      announce(published, next);
    } catch (error) {
      if (error instanceof UnsettledFolderError) return; // The watch comes back to it when it is quiet.
      onRefuse();
      const faults = error instanceof SiteError ? error.faults : undefined;
      log.error(
        { version: published.version, ...(faults ? { faults } : { err: error }) },
        'site change refused',
      );
    }
  };
  const rerender = async (): Promise<void> => {
    published = await rerenderSite(published, loaded, deps);
    log.info({ version: published.version }, 'pages rendered for a new day');
  };

  return {
    current: () => published,
    look: watchFolder({
      fingerprint: loaded.fingerprint,
      readFingerprint: () => fingerprintFolder(dir),
      onChange: () => enqueue(reload),
      onError: (error) => log.error({ err: error }, 'the site folder cannot be watched'),
    }),
    rerender: () => enqueue(rerender),
  };

  function announce({ version }: PublishedSite, { warnings }: LoadedSite): void {
    for (const warning of warnings) log.warn({ version }, warning);
    log.info({ version, dir }, 'site published');
    onPublish(version);
  }
}
