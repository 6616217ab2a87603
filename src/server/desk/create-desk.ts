import type { Logger } from 'pino';
import type { DeskBody, DeskVersion } from '../../contract/desk/desk.ts';
import type { SiteChange } from '../../contract/desk/site-change.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { SiteKeeper } from '../site/keep-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import type { DeskPerson } from './create-draft-reader.ts';
import { type Drafts, createDrafts } from './create-drafts.ts';
import { createPublisher } from './create-publisher.ts';
import { DeskError } from './desk-error.ts';
import type { Draft } from './create-draft-store.ts';
import { hashManifest } from './manifest.ts';
import type { DeskStores } from './open-desk-stores.ts';
import type { VersionRecord } from './create-version-store.ts';
import type { DeskWork } from './work/jobs.ts';

export type Desk = Omit<Drafts, 'find' | 'readManifest'> & {
  /** Works on what people send, in processes that it can stop. */
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

export function createDesk(deps: DeskDeps): Desk {
  const { stores, work, now } = deps;
  const { files: store, versions, folder } = stores;
  const own = createDrafts({ stores, work, now });
  const readLive = async (): Promise<SiteFiles> => store.readFiles((await versions.readCurrent()).files);
  const { goLive, findOwnerKeys } = createPublisher({ ...deps, readLive, describeConflict });

  return {
    ...own,
    work,
    current: async () => toVersion(await versions.readCurrent()),
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
    publish: (person, { draft: choice, why, basedOn, seen }, request) =>
      goLive({ person, request }, async () => {
        const draft = await own.find(person, { draft: choice });
        const after = await versions.currentNumber();
        if (basedOn !== after || draft.basedOn !== after) throw await describeConflict(draft);
        const files = await own.readManifest(draft);
        const hash = hashManifest(files);
        if (seen !== undefined && seen !== hash) {
          const changes = (await own.summarize(person, { draft: choice }))?.changes ?? [];
          throw new DeskError('draft-changed', { kind: 'changed-since-seen' }, { changes });
        }
        // If the folder has these very files, its next change goes live at once again.
        const isFolder = choice === 'folder' && (await folder.find(hash)) !== undefined;
        const origin = isFolder
          ? ({ from: 'folder', folder: { seen: hash } } as const)
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

  /** Says what somebody else has published meanwhile, and where that touches the draft. */
  async function describeConflict(draft: Draft | undefined): Promise<DeskError> {
    const current = await versions.readCurrent();
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

function toVersion({ number, at, by, from, why }: VersionRecord): DeskVersion {
  return { number, at, by, from, why };
}
