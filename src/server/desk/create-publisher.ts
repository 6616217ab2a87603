import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { DeskVersion } from '../../contract/desk/desk.ts';
import { OWNER_KEYS } from '../../contract/desk/owner-keys.ts';
import { tellFault } from '../../contract/faults/describe-site-fault.ts';
import type { SiteFault } from '../../contract/faults/site-fault.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import { DeadlineError } from '../process/with-deadline.ts';
import type { SiteKeeper } from '../site/keep-site.ts';
import { type LoadedSite, type OnLookupFault, SiteError } from '../site/load-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import type { DeskPerson } from './create-draft-reader.ts';
import { type Draft, DraftMovedError } from './create-draft-store.ts';
import type { NewVersion } from './create-version-store.ts';
import { DeskError, VersionMovedError } from './desk-error.ts';
import { findDraftFaults } from './find-draft-faults.ts';
import type { DeskStores } from './open-desk-stores.ts';
import { type DeskWork, loadSiteApart } from './work/jobs.ts';

/** Makes files go live. Whatever goes live from the console goes through here. */
export type Publisher = {
  /** Prepares a version, checks it and makes it go live, or throws and changes nothing. A request with a name is done once. */
  readonly goLive: (by: Publication, prepare: () => Promise<PreparedVersion>) => Promise<DeskVersion>;
  /** The keys of `site.json` that differ from what is live, and that only an owner may publish. */
  readonly findOwnerKeys: (config: SiteConfig) => readonly string[];
};

export type Publication = { readonly person: DeskPerson; readonly request: string | undefined };

/** A version to be. */
export type PreparedVersion = Omit<NewVersion, 'at' | 'by' | 'request'> & {
  /** True for an earlier version: it may go live with faults, because an undo must always work. */
  readonly wasLive: boolean;
};

export type PublisherDeps = {
  readonly stores: Pick<DeskStores, 'files' | 'versions'>;
  readonly siteDir: string;
  readonly keeper: Pick<SiteKeeper, 'current' | 'replace'>;
  readonly work: DeskWork;
  /** The files of the version that is live. */
  readonly readLive: () => Promise<SiteFiles>;
  /** Says what somebody else has published meanwhile. */
  readonly describeConflict: (draft: Draft | undefined) => Promise<DeskError>;
  readonly log: Pick<Logger, 'info'>;
  readonly now: () => number;
};

export function createPublisher(deps: PublisherDeps): Publisher {
  const { stores, siteDir, keeper, work, readLive, describeConflict, log, now } = deps;
  const { files: store, versions } = stores;

  return { goLive, findOwnerKeys };

  async function goLive(
    { person, request }: Publication,
    prepare: () => Promise<PreparedVersion>,
  ): Promise<DeskVersion> {
    let prepared: PreparedVersion | undefined;
    let committed: DeskVersion | undefined;
    try {
      await keeper.replace(
        async (onLookupFault) => {
          prepared = await prepare();
          return load(person, prepared, onLookupFault);
        },
        async () => {
          if (prepared === undefined) return;
          const { wasLive: _, ...version } = prepared;
          committed = await versions.commit({ ...version, at: now(), by: person.name, request });
        },
      );
    } catch (error) {
      const isRefused = [DeskError, DraftMovedError, VersionMovedError].some((kind) => error instanceof kind);
      // A request that was done is refused when it comes again, because the version that it names is no longer the current one.
      const done = isRefused && request !== undefined ? await versions.findDone(request) : undefined;
      if (done !== undefined) return done;
      if (error instanceof DeadlineError) throw new DeskError('desk-busy', { kind: 'busy' });
      if (error instanceof VersionMovedError) throw await describeConflict(prepared?.draft);
      if (!(error instanceof DraftMovedError)) throw error;
      throw new DeskError('draft-changed', { kind: 'changed-while-published' });
    }
    if (committed === undefined) throw new Error('nothing was committed');
    log.info({ ...committed, version: committed.number }, 'version published');
    return committed;
  }

  async function load(
    person: DeskPerson,
    { after, files, wasLive }: PreparedVersion,
    onLookupFault: OnLookupFault,
  ): Promise<Omit<LoadedSite, 'fingerprint'>> {
    if (isDeepStrictEqual(files, (await versions.readCurrent()).files)) {
      throw new DeskError('nothing-changed', { kind: 'already-live' });
    }
    const loaded = await loadValid(await store.readFiles(files), onLookupFault);
    checkOwner(person, loaded.site.config);
    if (!wasLive) refuseFaults((await findDraftFaults(loaded, readLive, work)).faults);
    return { ...loaded, version: after + 1 };
  }

  async function loadValid(
    files: SiteFiles,
    onLookupFault: OnLookupFault,
  ): Promise<Omit<LoadedSite, 'fingerprint'>> {
    try {
      return await loadSiteApart(files, { work, siteDir, onLookupFault });
    } catch (error) {
      if (error instanceof SiteError) refuseFaults(error.faults);
      throw error;
    }
  }

  function checkOwner({ role }: DeskPerson, config: SiteConfig): void {
    const keys = findOwnerKeys(config);
    if (role === 'owner' || keys.length === 0) return;
    throw new DeskError('owner-required', { kind: 'owner-keys', keys }, { keys });
  }

  /** Compares what the keys mean, not how they are written. */
  function findOwnerKeys(config: SiteConfig): readonly string[] {
    const live = keeper.current().config;
    return OWNER_KEYS.filter((key) => !isDeepStrictEqual(readSetting(live, key), readSetting(config, key)));
  }
}

/** Refuses what has a fault. */
function refuseFaults(faults: readonly SiteFault[]): void {
  if (faults.length === 0) return;
  const told = faults.map(tellFault);
  throw new DeskError('draft-invalid', { kind: 'has-faults', faults: told.length }, { faults: told });
}

/** The value of a key such as `lines.health`. */
function readSetting(config: SiteConfig, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name],
      config,
    );
}
