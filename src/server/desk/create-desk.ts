import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { DeskBody, DeskVersion } from '../../contract/desk/desk.ts';
import { OWNER_KEYS } from '../../contract/desk/owner-keys.ts';
import type { SiteChange } from '../../contract/desk/site-change.ts';
import { tellFault } from '../../contract/faults/describe-site-fault.ts';
import type { SiteFault } from '../../contract/faults/site-fault.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { SiteKeeper } from '../site/keep-site.ts';
import { type LoadedSite, type OnLookupFault, SiteError, loadSiteFiles } from '../site/load-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import type { DeskPerson } from './create-draft-reader.ts';
import { type Drafts, createDrafts } from './create-drafts.ts';
import { findDraftFaults } from './find-draft-faults.ts';
import { DeskError, VersionMovedError } from './desk-error.ts';
import { type Draft, DraftMovedError } from './create-draft-store.ts';
import { hashManifest } from './manifest.ts';
import type { DeskStores } from './open-desk-stores.ts';
import type { NewVersion, VersionRecord } from './create-version-store.ts';
import { type DeskWork, parseSiteApart } from './work/jobs.ts';

export type Desk = Omit<Drafts, 'find' | 'readManifest'> & {
  /** Where what people send is worked on. */
  readonly work: DeskWork;
  readonly current: () => Promise<DeskVersion>;
  readonly listVersions: () => Promise<readonly DeskVersion[]>;
  /** What differs between two versions. */
  readonly compare: (from: number, to: number) => Promise<readonly SiteChange[]>;
  /** The files of the version that is live. */
  readonly readLive: () => Promise<SiteFiles>;
  /** Finds a file of any version that is kept, by the start of its hash. */
  readonly findFile: (start: string) => Promise<Buffer | undefined>;
  /** Makes a draft go live, or throws and changes nothing. A request with a name is done once, however often it comes. */
  readonly publish: (person: DeskPerson, body: DeskBody<'publish'>, request?: string) => Promise<DeskVersion>;
  /** Makes an earlier version go live again, as a new one. */
  readonly restore: (person: DeskPerson, body: DeskBody<'restore'>, request?: string) => Promise<DeskVersion>;
  /** The keys of `site.json` that differ from what is live, and that only an owner may publish. */
  readonly findOwnerKeys: (config: SiteConfig) => readonly string[];
  /** Removes files that are old and used nowhere. */
  readonly prune: () => Promise<void>;
};

export type DeskDeps = {
  readonly stores: DeskStores;
  readonly siteDir: string;
  readonly keeper: Pick<SiteKeeper, 'current' | 'replace'>;
  readonly work: DeskWork;
  readonly log: Logger;
  readonly now: () => number;
};

/** A version to be. */
type PreparedVersion = Omit<NewVersion, 'at' | 'by' | 'request'> & {
  /** True for an earlier version: it may go live with faults, because an undo must always work. */
  readonly wasLive: boolean;
};

/** Makes drafts and earlier versions go live. Whatever goes live from the console goes through here. */
export function createDesk({ stores, siteDir, keeper, work, log, now }: DeskDeps): Desk {
  const { files: store, versions, folder } = stores;
  const own = createDrafts({ stores, work, now });
  const readCurrent = async (): Promise<VersionRecord> => versions.read(await versions.currentNumber());
  const readLive = async (): Promise<SiteFiles> => store.readFiles((await readCurrent()).files);

  return {
    ...own,
    work,
    current: async () => toVersion(await readCurrent()),
    listVersions: versions.list,
    compare: async (from, to) => {
      const [before, after] = [await versions.read(from), await versions.read(to)];
      return work.describeDifference(
        await store.readOutline(before.files),
        await store.readOutline(after.files),
      );
    },
    readLive,
    findFile: store.findFile,
    publish: (person, { draft: choice, why, basedOn }, request) =>
      goLive({ person, request }, async () => {
        const draft = await own.find(person, { draft: choice });
        const after = await versions.currentNumber();
        if (basedOn !== after || draft.basedOn !== after) throw await describeConflict(draft);
        const files = await own.readManifest(draft);
        const seen = hashManifest(files);
        // If the folder has these very files, its next change goes live at once again.
        const isFolder = choice === 'folder' && (await folder.find(seen)) !== undefined;
        const origin = isFolder
          ? ({ from: 'folder', folder: { seen } } as const)
          : { from: 'console' as const };
        return { ...origin, after, draft, why, files, wasLive: false };
      }),
    restore: (person, { number, why, basedOn }, request) =>
      goLive({ person, request }, async () => {
        const { files } = await versions.read(number);
        const after = await versions.currentNumber();
        if (basedOn !== after) throw await describeConflict(undefined);
        return { after, from: 'rollback', why: why || `version ${number}`, files, wasLive: true };
      }),
    findOwnerKeys,
    prune: versions.prune,
  };

  /** The one way by which the console makes files go live. */
  async function goLive(
    { person, request }: { readonly person: DeskPerson; readonly request: string | undefined },
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
    if (isDeepStrictEqual(files, (await readCurrent()).files)) {
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
      const parse = (given: SiteFiles) => parseSiteApart(work, given);
      return await loadSiteFiles({ files, parse }, siteDir, onLookupFault);
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

  /** Says what somebody else has published meanwhile, and where that touches the draft. */
  async function describeConflict(draft: Draft | undefined): Promise<DeskError> {
    const current = await readCurrent();
    const theirs = await store.readOutline(current.files);
    const base = draft && (await store.readOutline((await versions.read(draft.basedOn)).files));
    const mine = draft && (await store.readOutline(await own.readManifest(draft)));
    const details = {
      current: toVersion(current),
      changes: base ? await work.describeDifference(base, theirs) : [],
      conflicts: base && mine ? (await work.mergeFiles({ base, theirs, mine })).conflicts : [],
    };
    return new DeskError(
      'version-conflict',
      { kind: 'published-meanwhile', number: current.number },
      details,
    );
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

function toVersion({ number, at, by, from, why }: VersionRecord): DeskVersion {
  return { number, at, by, from, why };
}
