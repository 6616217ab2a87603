import type { DeskDraft, DraftSummary } from '../../contract/desk/desk.ts';
import type { Role } from '../../contract/roles.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { type Draft, FOLDER_DRAFT } from './create-draft-store.ts';
import { DeskError } from './desk-error.ts';
import { type Manifest, applyChanges, hashManifest } from './manifest.ts';
import type { DeskStores } from './open-desk-stores.ts';
import type { DeskWork } from './work/jobs.ts';

/** Who is at the desk. */
export type DeskPerson = {
  readonly name: string;
  readonly role: Role;
  /** When the person was added. Somebody new may get the name of a removed person, but not that person's draft. */
  readonly since?: number | undefined;
};

export type PersonName = Pick<DeskPerson, 'name' | 'since'>;

/** The person's own draft, or that of the site folder. */
export type DraftChoice = { readonly draft: 'own' | 'folder' };

export type DraftReader = {
  readonly hasDraft: (person: DeskPerson) => Promise<boolean>;
  /** Undefined if there is no such draft. */
  readonly summarize: (person: PersonName, choice: DraftChoice) => Promise<DraftSummary | undefined>;
  /** The files as they would be after publishing the draft. */
  readonly readDraft: (person: DeskPerson, choice: DraftChoice) => Promise<DeskDraft>;
  readonly readFiles: (person: PersonName, choice: DraftChoice) => Promise<SiteFiles>;
  /** One of these files. Throws if there is no such file. */
  readonly readFile: (person: PersonName, choice: DraftChoice, path: string) => Promise<Buffer>;
  /** Differs after every change of what `readFiles` reads. */
  readonly revisionOf: (person: PersonName, choice: DraftChoice) => Promise<string>;
  /** Throws if there is no such draft. */
  readonly find: (person: DeskPerson, choice: DraftChoice) => Promise<Draft>;
  /** The files of a draft with those of its base. */
  readonly readManifest: (draft: Draft | undefined) => Promise<Manifest>;
  /** One file of a manifest. Throws if there is no such file. */
  readonly readOne: (manifest: Manifest, path: string) => Promise<Buffer>;
};

/** Reads what people are changing. */
export function createDraftReader({
  stores,
  work,
}: {
  readonly stores: DeskStores;
  readonly work: DeskWork;
}): DraftReader {
  const { files: store, versions, drafts } = stores;

  return {
    hasDraft: async (person) => (await get(person, { draft: 'own' })) !== undefined,
    summarize: async (person, choice) => {
      const draft = await get(person, choice);
      return draft && summarize(draft);
    },
    readDraft: async (person, choice) => describe(await get(person, choice)),
    readFiles: async (person, choice) => store.readFiles(await readManifest(await get(person, choice))),
    readFile: async (person, choice, path) => readOne(await readManifest(await get(person, choice)), path),
    revisionOf: async (person, choice) => {
      const draft = await get(person, choice);
      if (draft === undefined) return `${await versions.currentNumber()}`;
      return [draft.basedOn, draft.revision, draft.at].join(' ');
    },
    find: async (person, choice) => {
      const draft = await get(person, choice);
      if (draft === undefined) throw new DeskError('nothing-changed', { kind: 'no-draft' });
      return draft;
    },
    readManifest,
    readOne,
  };

  /** Undefined also for a draft that another person of the same name has left behind. */
  async function get(person: PersonName, choice: DraftChoice): Promise<Draft | undefined> {
    const draft = await drafts.get(ownerOf(person, choice));
    return isOf(draft, person) ? draft : undefined;
  }

  async function describe(draft: Draft | undefined): Promise<DeskDraft> {
    const manifest = await readManifest(draft);
    const sizes = await store.readSizes(Object.values(manifest));
    const outline = await store.readOutline(manifest);
    return {
      current: await versions.currentNumber(),
      draft: draft === undefined ? null : await summarize(draft),
      files: Object.entries(manifest).map(([path, hash]) => ({
        path,
        bytes: sizes.get(hash) ?? 0,
        hash,
        isChanged: draft !== undefined && Object.hasOwn(draft.files, path),
      })),
      json: Object.fromEntries([...outline].filter(isJson).map(([path, bytes]) => [path, String(bytes)])),
    };
  }

  async function summarize(draft: Draft): Promise<DraftSummary> {
    const base = await versions.read(draft.basedOn);
    const { basedOn, revision, at } = draft;
    const files = applyChanges(base.files, draft.files);
    const changes = await work.describeDifference(
      await store.readOutline(base.files),
      await store.readOutline(files),
    );
    return { basedOn, revision, at, hash: hashManifest(files), changes };
  }

  async function readManifest(draft: Draft | undefined): Promise<Manifest> {
    const base = await versions.read(draft?.basedOn ?? (await versions.currentNumber()));
    return applyChanges(base.files, draft?.files ?? {});
  }

  async function readOne(manifest: Manifest, path: string): Promise<Buffer> {
    const hash = Object.hasOwn(manifest, path) ? manifest[path] : undefined;
    const bytes = hash === undefined ? undefined : (await store.readFiles({ [path]: hash })).get(path);
    if (bytes === undefined)
      throw new DeskError('unknown-file', { kind: 'no-file', path: JSON.stringify(path) });
    return bytes;
  }
}

export function ownerOf({ name }: PersonName, { draft }: DraftChoice): string {
  return draft === 'folder' ? FOLDER_DRAFT : name;
}

/** The draft of the site folder belongs to no person. */
export function isOf(draft: Draft | undefined, { since }: PersonName): boolean {
  return draft?.since === undefined || draft.since === since;
}

export function isJson([path]: readonly [string, Buffer]): boolean {
  return path.endsWith('.json');
}
