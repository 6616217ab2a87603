import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import {
  type DeskBody,
  type DeskDraft,
  type DeskVersion,
  type DraftSummary,
  MAX_DRAFT_BYTES,
  OWNER_KEYS,
} from '../../contract/desk/desk.ts';
import type { SiteChange } from '../../contract/desk/site-change.ts';
import type { Role } from '../../contract/people.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { SiteKeeper } from '../site/keep-site.ts';
import { type LoadedSite, type OnLookupFault, SiteError, loadSiteFiles } from '../site/load-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { checkFileContent, checkFilePath } from './check-upload.ts';
import { findChanges, hashManifest } from './create-version-source.ts';
import { describeDifference } from './describe-difference.ts';
import { DeskError, useDisk } from './desk-error.ts';
import { type Draft, OUTSIDE } from './draft-store.ts';
import { editJson } from './edit-json.ts';
import { mergeFiles } from './merge-files.ts';
import type { DeskStores } from './open-desk-stores.ts';
import { type Manifest, type VersionRecord, withoutFiles } from './version-store.ts';

/** Who is at the desk. */
export type DeskPerson = { readonly name: string; readonly role: Role };

type DraftChoice = { readonly draft: 'own' | 'outside' };

export type Desk = {
  readonly current: () => Promise<DeskVersion>;
  readonly listVersions: () => Promise<readonly DeskVersion[]>;
  /** What differs between two versions. */
  readonly compare: (from: number, to: number) => Promise<readonly SiteChange[]>;
  readonly hasDraft: (person: DeskPerson) => boolean;
  /** Undefined if there is no such draft. */
  readonly summarize: (person: DeskPerson, choice: DraftChoice) => Promise<DraftSummary | undefined>;
  /** The files as they would be, were the draft published. */
  readonly readDraft: (person: DeskPerson, choice: DraftChoice) => Promise<DeskDraft>;
  readonly readFiles: (person: DeskPerson, choice: DraftChoice) => Promise<SiteFiles>;
  /** The files of the version that is live. */
  readonly readLive: () => Promise<SiteFiles>;
  readonly edit: (person: DeskPerson, body: DeskBody<'edit'>) => Promise<void>;
  readonly putFile: (person: DeskPerson, path: string, bytes: Buffer) => Promise<void>;
  readonly removeFile: (person: DeskPerson, path: string) => Promise<void>;
  readonly discard: (person: DeskPerson, body: DeskBody<'discard'>) => Promise<void>;
  /** Applies a draft on top of what others have published. */
  readonly rebase: (person: DeskPerson, body: DeskBody<'rebase'>) => Promise<void>;
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
  readonly log: Logger;
  readonly now: () => number;
};

/** As many as a site folder may hold. */
const MAX_FILES = 2_000;

/** Keeps what is being changed, and makes it go live. Every rule of the desk is in here. */
export function createDesk({ stores, siteDir, keeper, log, now }: DeskDeps): Desk {
  const { versions, drafts, outside, inTurn } = stores;
  const readCurrent = (): Promise<VersionRecord> => versions.read(versions.currentNumber());

  return {
    current: async () => withoutFiles(await readCurrent()),
    listVersions: versions.list,
    compare: async (from, to) => {
      const [before, after] = await Promise.all([versions.read(from), versions.read(to)]);
      return describeDifference(
        await versions.readFiles(before.files),
        await versions.readFiles(after.files),
      );
    },
    hasDraft: ({ name }) => drafts.get(name) !== undefined,
    summarize: async (person, choice) => {
      const draft = drafts.get(ownerOf(person, choice));
      return draft && summarize(draft);
    },
    readDraft: async (person, choice) => {
      const draft = drafts.get(ownerOf(person, choice));
      const manifest = await readManifest(draft);
      const files = await versions.readFiles(manifest);
      return {
        current: versions.currentNumber(),
        draft: draft === undefined ? null : await summarize(draft),
        files: [...files].map(([path, bytes]) => ({
          path,
          bytes: bytes.length,
          hash: manifest[path] ?? '',
          isChanged: draft !== undefined && Object.hasOwn(draft.files, path),
        })),
        json: Object.fromEntries(
          [...files].filter(([path]) => path.endsWith('.json')).map(([path, bytes]) => [path, String(bytes)]),
        ),
      };
    },
    readFiles: async (person, choice) =>
      versions.readFiles(await readManifest(drafts.get(ownerOf(person, choice)))),
    readLive: async () => versions.readFiles((await readCurrent()).files),
    edit: (person, { file, edits }) =>
      changeDraft(person, async (manifest) => {
        checkFilePath(file);
        const hash = file.endsWith('.json') ? manifest[file] : undefined;
        if (hash === undefined)
          throw new DeskError('unknown-file', `There is no JSON file ${file} to change.`);
        const text = String((await versions.readFiles({ [file]: hash })).get(file));
        const bytes = Buffer.from(editJson(file, text, edits));
        checkFileContent(file, bytes);
        return versions.putFiles(new Map([[file, bytes]]));
      }),
    putFile: (person, path, bytes) => {
      checkFilePath(path);
      checkFileContent(path, bytes);
      return changeDraft(person, () => versions.putFiles(new Map([[path, bytes]])));
    },
    removeFile: (person, path) =>
      changeDraft(person, async (manifest) => {
        if (!Object.hasOwn(manifest, path)) throw new DeskError('unknown-file', `There is no file ${path}.`);
        return { [path]: null };
      }),
    discard: (person, choice) => change(() => drafts.remove(ownerOf(person, choice))),
    rebase: (person, { draft: choice, keep }) =>
      change(async () => {
        const draft = findDraft(person, { draft: choice });
        const current = await readCurrent();
        const three = {
          base: await versions.readFiles((await versions.read(draft.basedOn)).files),
          theirs: await versions.readFiles(current.files),
          mine: await versions.readFiles(await readManifest(draft)),
        };
        const { files, conflicts } = mergeFiles(three, keep);
        if (conflicts.length > 0 && keep === undefined) {
          throw new DeskError(
            'draft-conflict',
            'You and somebody else have changed the same: say whose change stays.',
            { details: { conflicts } },
          );
        }
        const changed = findChanges(current.files, await versions.putFiles(files));
        await saveDraft({ ...draft, basedOn: current.number, files: changed }, current.files);
      }),
    publish: async (person, { draft: choice, why, basedOn }) => {
      let draft = findDraft(person, { draft: choice });
      let manifest: Manifest = {};
      return goLive(
        person,
        async () => {
          draft = findDraft(person, { draft: choice });
          const current = versions.currentNumber();
          if (basedOn !== current || draft.basedOn !== current) throw await describeConflict(draft);
          manifest = await readManifest(draft);
          return manifest;
        },
        () => {
          if (drafts.get(draft.owner)?.revision !== draft.revision) {
            throw new DeskError(
              'draft-changed',
              'The draft changed while it was being published: look at it again.',
            );
          }
          // Published as it is in the folder: the next change there goes live at once again.
          const isFolder = choice === 'outside' && hashManifest(manifest) === outside.get().seen;
          return { from: isFolder ? 'outside' : 'console', why, draft: draft.owner };
        },
      );
    },
    restore: (person, { number, why, basedOn }) =>
      goLive(
        person,
        async () => {
          const { files } = await versions.read(number);
          if (basedOn !== versions.currentNumber()) throw await describeConflict(undefined);
          return files;
        },
        () => ({ from: 'rollback', why: why || `version ${number}` }),
      ),
    findOwnerKeys,
    prune: () =>
      change(() => {
        const numbers = new Set([outside.get().version, ...drafts.all().map(({ basedOn }) => basedOn)]);
        const hashes = drafts
          .all()
          .flatMap(({ files }) => Object.values(files).filter((hash) => hash !== null));
        return versions.prune({ numbers, hashes });
      }),
  };

  type Publication = {
    readonly from: DeskVersion['from'];
    readonly why: string;
    /** The owner of the draft that has become the version. */
    readonly draft?: string;
  };

  /** The one way by which the console and the commands make files go live. */
  async function goLive(
    person: DeskPerson,
    findFiles: () => Promise<Manifest>,
    describe: () => Publication,
  ): Promise<DeskVersion> {
    let files: Manifest = {};
    let committed: VersionRecord | undefined;
    await keeper.replace(
      async (onLookupFault) => {
        files = await findFiles();
        if (isDeepStrictEqual(files, (await readCurrent()).files)) {
          throw new DeskError('nothing-changed', 'This is what is live already: nothing was changed.');
        }
        const loaded = await loadValid(await versions.readFiles(files), onLookupFault);
        checkOwner(person, loaded.site.config);
        return { ...loaded, version: versions.currentNumber() + 1 };
      },
      () =>
        change(async () => {
          const { from, why, draft } = describe();
          committed = await versions.commit({ at: now(), by: person.name, from, why, files });
          // From here on it is live, whatever becomes of the rest.
          await forget(draft, from === 'outside' ? committed : undefined).catch((error: unknown) =>
            log.error({ err: error }, 'a published draft could not be removed'),
          );
        }),
    );
    if (committed === undefined) throw new Error('nothing was committed');
    const version = withoutFiles(committed);
    log.info({ ...version, version: version.number }, 'version published');
    return version;
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
      return await loadSiteFiles({ files }, siteDir, onLookupFault);
    } catch (error) {
      if (!(error instanceof SiteError)) throw error;
      const { faults } = error;
      const message = `This cannot go live, because it has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`;
      throw new DeskError('draft-invalid', message, { details: { faults }, cause: error });
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
    const [live, wanted] = [keeper.current().config, config] as readonly Readonly<Record<string, unknown>>[];
    return OWNER_KEYS.filter((key) => !isDeepStrictEqual(live?.[key], wanted?.[key]));
  }

  async function changeDraft(
    person: DeskPerson,
    makeChange: (manifest: Manifest) => Promise<Draft['files']>,
  ): Promise<void> {
    await change(async () => {
      const draft = drafts.get(person.name);
      const basedOn = draft?.basedOn ?? versions.currentNumber();
      const base = await versions.read(basedOn);
      const changed = await makeChange(await readManifest(draft));
      const files = { ...draft?.files, ...changed };
      await saveDraft(
        { owner: person.name, basedOn, revision: draft?.revision ?? 0, at: 0, files },
        base.files,
      );
    });
  }

  /** Keeps a draft, without what is as in its base. One without changes is removed. */
  async function saveDraft(draft: Draft, base: Manifest): Promise<void> {
    const files = findChanges(base, applyChanges(base, draft.files));
    const hashes = Object.values(files).filter((hash) => hash !== null);
    if (Object.keys(files).length === 0) return drafts.remove(draft.owner);
    const sizes = await Promise.all(hashes.map((hash) => versions.sizeOf(hash)));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total > MAX_DRAFT_BYTES) {
      throw new DeskError(
        'draft-full',
        `The changed files of a draft may have ${MAX_DRAFT_BYTES.toLocaleString('en')} bytes, and these have ${total.toLocaleString('en')}: publish first, or make the images smaller.`,
      );
    }
    if (Object.keys(applyChanges(base, files)).length > MAX_FILES) {
      throw new DeskError('draft-full', `A site may have ${MAX_FILES} files: remove some first.`);
    }
    await drafts.put({ ...draft, revision: draft.revision + 1, at: now(), files });
  }

  function change<T>(job: () => Promise<T>): Promise<T> {
    return useDisk(() => inTurn(job));
  }

  function findDraft(person: DeskPerson, choice: DraftChoice): Draft {
    const draft = drafts.get(ownerOf(person, choice));
    if (draft === undefined)
      throw new DeskError('nothing-changed', 'There is no draft: nothing was changed.');
    return draft;
  }

  async function readManifest(draft: Draft | undefined): Promise<Manifest> {
    const base = await versions.read(draft?.basedOn ?? versions.currentNumber());
    return applyChanges(base.files, draft?.files ?? {});
  }

  async function summarize(draft: Draft): Promise<DraftSummary> {
    const base = await versions.read(draft.basedOn);
    const { basedOn, revision, at } = draft;
    const changes = describeDifference(
      await versions.readFiles(base.files),
      await versions.readFiles(applyChanges(base.files, draft.files)),
    );
    return { basedOn, revision, at, changes };
  }

  /** Says what somebody else has published meanwhile, and where that touches the draft. */
  async function describeConflict(draft: Draft | undefined): Promise<DeskError> {
    const current = await readCurrent();
    const theirs = await versions.readFiles(current.files);
    const base = draft && (await versions.readFiles((await versions.read(draft.basedOn)).files));
    const mine = draft && (await versions.readFiles(await readManifest(draft)));
    const details = {
      current: withoutFiles(current),
      changes: base ? describeDifference(base, theirs) : [],
      conflicts: base && mine ? mergeFiles({ base, theirs, mine }).conflicts : [],
    };
    const message = `Meanwhile version ${current.number} was published: look at the difference first.`;
    return new DeskError('version-conflict', message, { details });
  }
}

function ownerOf({ name }: DeskPerson, { draft }: DraftChoice): string {
  return draft === 'outside' ? OUTSIDE : name;
}

function applyChanges(base: Manifest, changes: Draft['files']): Manifest {
  const entries = Object.entries({ ...base, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}
