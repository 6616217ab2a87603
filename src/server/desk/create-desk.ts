import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { DeskBody, DeskVersion } from '../../contract/desk/desk.ts';
import { OWNER_KEYS } from '../../contract/desk/owner-keys.ts';
import type { SiteChange } from '../../contract/desk/site-change.ts';
import type { SiteFault } from '../../contract/error-codes.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { SiteKeeper } from '../site/keep-site.ts';
import { type LoadedSite, type OnLookupFault, SiteError, loadSiteFiles } from '../site/load-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { type DeskPerson, type Drafts, createDrafts } from './create-drafts.ts';
import { findDraftFaults } from './find-draft-faults.ts';
import { DeskError, VersionMovedError } from './desk-error.ts';
import type { Draft } from './draft-store.ts';
import { type Manifest, hashManifest } from './manifest.ts';
import type { DeskStores } from './open-desk-stores.ts';
import { type VersionRecord, withoutFiles } from './version-store.ts';
import { type DeskWork, parseSiteApart } from './work/jobs.ts';

export type Desk = Omit<Drafts, 'find' | 'readManifest'> & {
  /** Where what people send is worked on. */
  readonly work: DeskWork;
  /** True if other replicas serve the same versions. */
  readonly isShared: boolean;
  readonly current: () => Promise<DeskVersion>;
  readonly listVersions: () => Promise<readonly DeskVersion[]>;
  /** What differs between two versions. */
  readonly compare: (from: number, to: number) => Promise<readonly SiteChange[]>;
  /** The files of the version that is live. */
  readonly readLive: () => Promise<SiteFiles>;
  /** Finds a file of any version that is kept, by the start of its hash. */
  readonly findFile: (start: string) => Promise<Buffer | undefined>;
  /** Makes a draft go live, or throws and changes nothing. */
  readonly publish: (person: DeskPerson, body: DeskBody<'publish'>) => Promise<DeskVersion>;
  /** Makes an earlier version go live again, as a new one. */
  readonly restore: (person: DeskPerson, body: DeskBody<'restore'>) => Promise<DeskVersion>;
  /** The keys of `site.json` that differ from what is live, and that only an owner may publish. */
  readonly findOwnerKeys: (config: SiteConfig) => readonly string[];
  /** Removes what is old and in nobody's use. To be repeated. */
  readonly prune: () => Promise<void>;
};

export type DeskDeps = {
  readonly stores: DeskStores;
  readonly siteDir: string;
  readonly keeper: Pick<SiteKeeper, 'current' | 'replace'>;
  readonly work: DeskWork;
  /** Takes over what another replica has published. Absent where there is none. */
  readonly catchUp?: () => Promise<void>;
  readonly log: Logger;
  readonly now: () => number;
};

/** The files of a version to be, and what is said of it. */
type PreparedVersion = {
  readonly files: Manifest;
  /** What was live before may go live again, with all that is wrong with it: an undo must always work. */
  readonly wasLive: boolean;
  /** Called when it is committed. Throws if it must not go live after all. */
  readonly describe: () => Publication;
};

type Publication = {
  readonly from: DeskVersion['from'];
  readonly why: string;
  /** The owner of the draft that has become the version. */
  readonly draft?: string;
};

const TRIES = 3;

/** Makes drafts and earlier versions go live. Whatever goes live from the console or a command goes through here. */
export function createDesk({ stores, siteDir, keeper, work, catchUp, log, now }: DeskDeps): Desk {
  const { versions, drafts, outside, inTurn } = stores;
  const own = createDrafts({ stores, work, now });
  const readCurrent = (): Promise<VersionRecord> => versions.read(versions.currentNumber());
  const readLive = async (): Promise<SiteFiles> => versions.readFiles((await readCurrent()).files);

  return {
    ...own,
    work,
    isShared: stores.isShared ?? false,
    current: async () => withoutFiles(await readCurrent()),
    listVersions: versions.list,
    compare: async (from, to) => {
      const [before, after] = await Promise.all([versions.read(from), versions.read(to)]);
      return work.describeDifference(
        await versions.readOutline(before.files),
        await versions.readOutline(after.files),
      );
    },
    readLive,
    findFile: versions.findFile,
    publish: (person, { draft: choice, why, basedOn }) =>
      goLive(person, async () => {
        const draft = own.find(person, { draft: choice });
        const current = versions.currentNumber();
        if (basedOn !== current || draft.basedOn !== current) throw await describeConflict(draft);
        const files = await own.readManifest(draft);
        return { files, wasLive: false, describe: () => describeDraft({ choice, draft, files, why }) };
      }),
    restore: (person, { number, why, basedOn }) =>
      goLive(person, async () => {
        const { files } = await versions.read(number);
        if (basedOn !== versions.currentNumber()) throw await describeConflict(undefined);
        return {
          files,
          wasLive: true,
          describe: () => ({ from: 'rollback', why: why || `version ${number}` }),
        };
      }),
    findOwnerKeys,
    prune: () =>
      inTurn(() => {
        const numbers = new Set([outside.get().version, ...drafts.all().map(({ basedOn }) => basedOn)]);
        const hashes = drafts
          .all()
          .flatMap(({ files }) => Object.values(files).filter((hash) => hash !== null));
        return versions.prune({ numbers, hashes: drafts.isComplete ? hashes : undefined });
      }),
  };

  function describeDraft({
    choice,
    draft,
    files,
    why,
  }: {
    readonly choice: DeskBody<'publish'>['draft'];
    readonly draft: Draft;
    readonly files: Manifest;
    readonly why: string;
  }): Publication {
    if (drafts.get(draft.owner) !== draft) {
      throw new DeskError(
        'draft-changed',
        'The draft changed while it was being published: look at it again.',
      );
    }
    // Published as it is in the folder: the next change there goes live at once again.
    const isFolder = choice === 'outside' && hashManifest(files) === outside.get().seen;
    return { from: isFolder ? 'outside' : 'console', why, draft: draft.owner };
  }

  /** The one way by which the console and the commands make files go live. */
  async function goLive(person: DeskPerson, prepare: () => Promise<PreparedVersion>): Promise<DeskVersion> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        return await goLiveHere(person, prepare);
      } catch (error) {
        if (!(error instanceof VersionMovedError)) throw error;
        // With their version here, the next try shows the difference.
        await catchUp?.();
      }
    }
    throw new DeskError(
      'replica-behind',
      'Another portal has published a version that this one cannot serve: its log says why. Publish on another portal.',
    );
  }

  async function goLiveHere(
    person: DeskPerson,
    prepare: () => Promise<PreparedVersion>,
  ): Promise<DeskVersion> {
    let prepared: PreparedVersion | undefined;
    let committed: VersionRecord | undefined;
    await keeper.replace(
      async (onLookupFault) => {
        prepared = await prepare();
        const { files, wasLive } = prepared;
        if (isDeepStrictEqual(files, (await readCurrent()).files)) {
          throw new DeskError('nothing-changed', 'This is what is live already: nothing was changed.');
        }
        const loaded = await loadValid(await versions.readFiles(files), onLookupFault);
        checkOwner(person, loaded.site.config);
        if (!wasLive) refuseFaults((await findDraftFaults(loaded, readLive, work)).faults);
        return { ...loaded, version: versions.currentNumber() + 1 };
      },
      async () => {
        if (prepared !== undefined) committed = await commit(person, prepared);
      },
    );
    if (committed === undefined) throw new Error('nothing was committed');
    const version = withoutFiles(committed);
    log.info({ ...version, version: version.number }, 'version published');
    return version;
  }

  function commit(person: DeskPerson, { files, describe }: PreparedVersion): Promise<VersionRecord> {
    return inTurn(async () => {
      const { from, why, draft } = describe();
      const committed = await versions.commit({ at: now(), by: person.name, from, why, files });
      // From here on it is live, whatever becomes of the rest.
      await forget(draft, from === 'outside' ? committed : undefined).catch((error: unknown) =>
        log.error({ err: error }, 'a published draft could not be removed'),
      );
      return committed;
    });
  }

  async function forget(owner: string | undefined, sameAsFolder: VersionRecord | undefined): Promise<void> {
    if (owner !== undefined) await drafts.remove(owner);
    if (sameAsFolder !== undefined) await outside.set({ ...outside.get(), version: sameAsFolder.number });
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
    throw new DeskError('owner-required', `Only an owner may change ${keys.join(', ')} of site.json.`, {
      details: { keys },
    });
  }

  /** Compares what the keys mean, not how they are written. */
  function findOwnerKeys(config: SiteConfig): readonly string[] {
    const live = keeper.current().config;
    return OWNER_KEYS.filter((key) => !isDeepStrictEqual(readSetting(live, key), readSetting(config, key)));
  }

  /** Says what somebody else has published meanwhile, and where that touches the draft. */
  async function describeConflict(draft: Draft | undefined): Promise<DeskError> {
    const current = await readCurrent();
    const theirs = await versions.readOutline(current.files);
    const base = draft && (await versions.readOutline((await versions.read(draft.basedOn)).files));
    const mine = draft && (await versions.readOutline(await own.readManifest(draft)));
    const details = {
      current: withoutFiles(current),
      changes: base ? await work.describeDifference(base, theirs) : [],
      conflicts: base && mine ? (await work.mergeFiles({ base, theirs, mine })).conflicts : [],
    };
    const message = `Meanwhile version ${current.number} was published: look at the difference first.`;
    return new DeskError('version-conflict', message, { details });
  }
}

/** Refuses what has a fault. */
function refuseFaults(faults: readonly SiteFault[]): void {
  if (faults.length === 0) return;
  const message = `This cannot go live, because it has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`;
  throw new DeskError('draft-invalid', message, { details: { faults } });
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
