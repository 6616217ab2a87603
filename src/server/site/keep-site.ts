import type { Logger } from 'pino';
import { writeSiteFault } from '../../contract/faults/describe-site-fault.ts';
import { type SiteRecord, createSiteRecord } from './create-site-record.ts';
import type { LoadedSite, OnLookupFault, SiteSource } from './load-site.ts';
import { type PublishDeps, type PublishedSite, publishSite, rerenderSite } from './publish-site.ts';
import { UnsettledFolderError } from './read-site-folder.ts';
import { createFolderCheck } from './create-folder-check.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import { createLimit } from '../../contract/create-limit.ts';
import { withDeadline } from '../process/with-deadline.ts';

export type SiteKeeper = {
  readonly current: () => PublishedSite;
  /** When the current version went live, and whether later changes were refused. */
  readonly record: () => SiteRecord;
  /** Loads the folder again if it has changed and is quiet again, see `createFolderCheck`. */
  readonly checkFolder: () => Promise<void>;
  /** Renders the pages again if it is time: for a new day, or for an announcement. */
  readonly renderIfDue: () => Promise<void>;
  /** Repeats both. The returned function stops that. */
  readonly start: () => () => void;
  /** Prepares another site, commits it, and serves it. Nothing changes if a step throws, or if there is nothing to prepare. */
  readonly replace: (prepare: PrepareSite, commit: () => Promise<void>) => Promise<void>;
};

/** Loads a site that the source does not have yet. */
export type PrepareSite = (
  onLookupFault: OnLookupFault,
) => Promise<Omit<LoadedSite, 'fingerprint'> | undefined>;

export type KeeperDeps = PublishDeps & {
  readonly source: SiteSource;
  readonly log: Logger;
  /** Told of each version that goes live, and of each change that was refused. */
  readonly onPublish: (site: PublishedSite) => void;
  readonly onRefuse: () => void;
  /** Called for each address that could not be read from an mmdb file. */
  readonly onLookupFault: () => void;
};

/** A folder on a network may stop answering. */
const LOAD_LIMIT_MS = 30_000;
/** A version from the console is checked in another process, which yields to visitors. A busy machine takes its time. */
const PREPARE_LIMIT_MS = 60_000;
const SLOW_CHECK_MS = 10_000;
/** A change must be live within a second. */
const CHECK_EVERY_MS = 400;
/** How long a change must stay the same. */
const SETTLE_MS = 150;
/** How late a page may show a new day's addresses, or an announcement. */
const RENDER_CHECK_EVERY_MS = 1_000;

/** Loads a site folder, and keeps its last good state published while the folder is broken or gone. */
export async function keepSite({
  source,
  log,
  onPublish,
  onRefuse,
  onLookupFault,
  now,
  ...others
}: KeeperDeps): Promise<SiteKeeper> {
  const deps: PublishDeps = { ...others, now };
  let loaded = await load();
  let lastLoaded = loaded.fingerprint;
  let published = await publishSite(loaded, loaded.version ?? 1, deps);
  await loaded.commit?.();
  const record = createSiteRecord({ now, log, onRefuse });
  announce(published, loaded);

  // One at a time: a page rendered at midnight must not replace one of a newer folder.
  const inTurn = createLimit(1);

  const folder = createFolderCheck({
    lastLoaded: () => lastLoaded,
    readFingerprint: source.readFingerprint,
    onChange: (fingerprint) => {
      lastLoaded = fingerprint;
      return inTurn(reload);
    },
    onError: (error) => log.error({ err: error }, 'the site folder cannot be watched'),
  });

  return {
    current: () => published,
    record: record.read,
    checkFolder,
    renderIfDue,
    start: () =>
      stopAll(
        repeat(checkFolder, () => (folder.isSettling() ? SETTLE_MS : CHECK_EVERY_MS), {
          name: 'site: check the folder',
          log,
        }),
        repeat(renderIfDue, () => RENDER_CHECK_EVERY_MS, { name: 'site: render', log }),
      ),
    replace: (prepare, commit) =>
      inTurn(async () => {
        const preparing = prepare(logLookupFaults(log, onLookupFault));
        const prepared = await withDeadline(preparing, PREPARE_LIMIT_MS, 'the version was not ready in time');
        if (prepared !== undefined) await serve({ ...prepared, fingerprint: lastLoaded }, commit);
      }),
  };

  async function reload(): Promise<void> {
    try {
      const next = await load();
      lastLoaded = next.fingerprint;
      await serve(next, next.commit);
      record.noteCorrection();
    } catch (error) {
      // The watch comes back to it when it is quiet.
      if (!(error instanceof UnsettledFolderError)) record.noteRefusal(error, published);
    }
  }

  /** Serves a site as soon as all of it is prepared and committed. */
  async function serve(next: LoadedSite, commit: LoadedSite['commit']): Promise<void> {
    const ready = await publishSite(next, next.version ?? published.version + 1, deps);
    await commit?.();
    published = ready;
    loaded = next;
    record.notePublished();
    announce(ready, next);
  }

  function renderIfDue(): Promise<void> {
    return inTurn(async () => {
      if (published.pages.isFresh(now())) return;
      published = await rerenderSite(published, loaded, deps);
      log.info({ version: published.version }, 'pages rendered anew');
    });
  }

  async function checkFolder(): Promise<void> {
    // Then the folder counts as changed.
    if (record.isToBeReadAgain()) lastLoaded = '';
    // A check that hangs cannot be stopped, and a second one would hang, too.
    const slow = setTimeout(
      () => log.error({ dir: source.dir }, 'the site folder does not answer: changes wait until it does'),
      SLOW_CHECK_MS,
    );
    await folder.check().finally(() => clearTimeout(slow));
  }

  function load(): Promise<LoadedSite> {
    const loading = source.load(logLookupFaults(log, onLookupFault));
    return withDeadline(loading, LOAD_LIMIT_MS, `${source.dir}: the site folder does not answer`);
  }

  function announce(site: PublishedSite, { warnings }: LoadedSite): void {
    const { version, hash } = site;
    for (const fault of warnings) log.warn({ version, code: fault.code }, writeSiteFault(fault, 'en'));
    log.info({ version, hash, dir: source.dir }, 'site published');
    onPublish(site);
  }
}

/** Logs the first fault of each mmdb file. All of them are counted. */
function logLookupFaults(log: Logger, onLookupFault: () => void): OnLookupFault {
  const told = new Set<string>();
  return (path, error) => {
    onLookupFault();
    if (!told.has(path)) log.error({ err: error, path }, 'an mmdb file has records that cannot be read');
    told.add(path);
  };
}
