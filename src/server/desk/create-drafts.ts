import {
  type DeskBody,
  type DeskDraft,
  type DeskUpload,
  type DraftSummary,
  MAX_DRAFT_BYTES,
} from '../../contract/desk/desk.ts';
import type { Role } from '../../contract/roles.ts';
import { MAX_FILES, type SiteFiles } from '../site/read-site-folder.ts';
import { listBetterFormats } from '../site/better-formats.ts';
import { createLimit } from '../../contract/create-limit.ts';
import { checkFilePath } from './check-upload.ts';
import { DeskError } from './desk-error.ts';
import { type Draft, DraftMovedError, FOLDER_DRAFT } from './create-draft-store.ts';
import type { BetterFormats } from './make-better-formats.ts';
import { type Manifest, type ManifestChanges, applyChanges, findChanges } from './manifest.ts';
import type { DeskStores } from './open-desk-stores.ts';
import type { DeskWork } from './work/jobs.ts';

/** Who is at the desk. */
export type DeskPerson = {
  readonly name: string;
  readonly role: Role;
  /** When the person was added. Another one may get the name of somebody who was removed, and not that one's draft. */
  readonly since?: number | undefined;
};

type PersonName = Pick<DeskPerson, 'name' | 'since'>;

/** The person's own draft, or that of the site folder. */
type DraftChoice = { readonly draft: 'own' | 'folder' };

/** What people do with their drafts. */
export type Drafts = {
  readonly hasDraft: (person: DeskPerson) => Promise<boolean>;
  /** Undefined if there is no such draft. */
  readonly summarize: (person: DeskPerson, choice: DraftChoice) => Promise<DraftSummary | undefined>;
  /** The files as they would be, were the draft published. */
  readonly readDraft: (person: DeskPerson, choice: DraftChoice) => Promise<DeskDraft>;
  readonly readFiles: (person: PersonName, choice: DraftChoice) => Promise<SiteFiles>;
  /** One of these files. Throws if there is no such file. */
  readonly readFile: (person: PersonName, choice: DraftChoice, path: string) => Promise<Buffer>;
  /** Differs after every change of what `readFiles` reads. */
  readonly revisionOf: (person: PersonName, choice: DraftChoice) => Promise<string>;
  readonly edit: (person: DeskPerson, body: DeskBody<'edit'>) => Promise<void>;
  /** Resolves with what became of a file that was taken. */
  readonly putFile: (person: DeskPerson, path: string, bytes: Buffer) => Promise<DeskUpload>;
  readonly removeFile: (person: DeskPerson, path: string) => Promise<void>;
  readonly discard: (person: PersonName, body: DeskBody<'discard'>) => Promise<void>;
  /** Applies a draft on top of what others have published. */
  readonly rebase: (person: DeskPerson, body: DeskBody<'rebase'>) => Promise<void>;
  /** Throws if there is no such draft. */
  readonly find: (person: DeskPerson, choice: DraftChoice) => Promise<Draft>;
  /** The files of a draft with those of its base. */
  readonly readManifest: (draft: Draft | undefined) => Promise<Manifest>;
};

/** How often a change is tried if another portal changes the same draft. */
const TRIES = 5;

/** Keeps what people are changing. Nothing here goes live. */
export function createDrafts({
  stores,
  work,
  now,
}: {
  readonly stores: DeskStores;
  readonly work: DeskWork;
  readonly now: () => number;
}): Drafts {
  const { files: store, versions, drafts } = stores;
  const inTurn = createLimit(1);

  return {
    hasDraft: async (person) => (await get(person, { draft: 'own' })) !== undefined,
    summarize: async (person, choice) => {
      const draft = await get(person, choice);
      return draft && summarize(draft);
    },
    readDraft: async (person, choice) => {
      const draft = await get(person, choice);
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
    },
    readFiles: async (person, choice) => store.readFiles(await readManifest(await get(person, choice))),
    readFile: async (person, choice, path) => {
      const manifest = await readManifest(await get(person, choice));
      return readOne(manifest, path);
    },
    revisionOf: async (person, choice) => {
      const draft = await get(person, choice);
      if (draft === undefined) return `${await versions.currentNumber()}`;
      return [draft.basedOn, draft.revision, draft.at].join(' ');
    },
    edit: (person, { file, edits }) =>
      changeDraft(person, async (manifest) => {
        checkFilePath(file);
        if (!file.endsWith('.json') || !Object.hasOwn(manifest, file))
          throw new DeskError('unknown-file', { kind: 'no-json-file', path: file });
        const bytes = await work.editFile(file, await readOne(manifest, file), edits);
        return store.putFiles(new Map([[file, bytes]]));
      }),
    putFile: async (person, path, bytes) => {
      checkFilePath(path);
      await work.checkFile(path, bytes);
      const formats = await makeBetterFormats(path, bytes);
      const better = formats ?? new Map(listBetterFormats(path).map((other) => [other, null]));
      await changeDraft(person, async (manifest) => {
        const old = [...better.keys()].filter((other) => Object.hasOwn(manifest, other));
        const made = [...better].flatMap(([other, encoded]) => (encoded ? [[other, encoded] as const] : []));
        const put = await store.putFiles(new Map([[path, bytes], ...made]));
        return { ...Object.fromEntries(old.map((other) => [other, null])), ...put };
      });
      return { ok: true, isKeptAsIs: formats === undefined };
    },
    removeFile: (person, path) =>
      changeDraft(person, async (manifest) => {
        if (!Object.hasOwn(manifest, path)) throw new DeskError('unknown-file', { kind: 'no-file', path });
        // The smaller formats that were made of it go, too, unless they are those of another image.
        const made = listBetterFormats(path);
        const others = Object.keys(manifest).filter((other) => other !== path && !made.includes(other));
        const needed = new Set(others.flatMap(listBetterFormats));
        const gone = made.filter((other) => Object.hasOwn(manifest, other) && !needed.has(other));
        return Object.fromEntries([path, ...gone].map((each) => [each, null]));
      }),
    discard: (person, choice) => inTurn(() => drafts.remove(ownerOf(person, choice))),
    rebase: (person, { draft: choice, keep }) =>
      oneByOne(async () => {
        const draft = await findDraft(person, { draft: choice });
        const current = await versions.read(await versions.currentNumber());
        const three = {
          base: await store.readOutline((await versions.read(draft.basedOn)).files),
          theirs: await store.readOutline(current.files),
          mine: await store.readOutline(await readManifest(draft)),
        };
        const { files, conflicts } = await work.mergeFiles(three, keep);
        if (conflicts.length > 0 && keep === undefined) {
          throw new DeskError('draft-conflict', { kind: 'same-change' }, { conflicts });
        }
        const changed = findChanges(current.files, await putOutline(files));
        await saveDraft({ ...draft, basedOn: current.number, files: changed }, draft, current.files);
      }),
    find: findDraft,
    readManifest,
  };

  /** Puts the JSON files into the store. The others are there, and stand for their hashes. */
  async function putOutline(files: SiteFiles): Promise<Manifest> {
    const others = [...files].filter((file) => !isJson(file)).map(([path, hash]) => [path, String(hash)]);
    return {
      ...Object.fromEntries(others),
      ...(await store.putFiles(new Map([...files].filter(isJson)))),
    };
  }

  /** Undefined for an image that takes too long to encode. It is kept as it is. */
  async function makeBetterFormats(path: string, bytes: Buffer): Promise<BetterFormats | undefined> {
    return work.makeBetterFormats(path, bytes).catch((error: unknown) => {
      if (error instanceof DeskError && error.code === 'took-too-long') return undefined;
      throw error;
    });
  }

  function changeDraft(
    person: DeskPerson,
    makeChange: (manifest: Manifest) => Promise<ManifestChanges>,
  ): Promise<void> {
    return oneByOne(async () => {
      const known = await drafts.get(person.name);
      const draft = isOf(known, person) ? known : undefined;
      const basedOn = draft?.basedOn ?? (await versions.currentNumber());
      const base = await versions.read(basedOn);
      const changed = await makeChange(applyChanges(base.files, draft?.files ?? {}));
      const files = { ...draft?.files, ...changed };
      const { name: owner, since } = person;
      await saveDraft({ owner, since, basedOn, revision: 0, at: 0, files }, known, base.files);
    });
  }

  /** Changes a draft after those who change it on this portal. If somebody changes it on another one, it starts again. */
  function oneByOne(job: () => Promise<void>): Promise<void> {
    return inTurn(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await job();
        } catch (error) {
          if (!(error instanceof DraftMovedError)) throw error;
          if (tries === TRIES) throw new DeskError('draft-changed', { kind: 'other-change' });
        }
      }
    });
  }

  /** Keeps a draft, without what is as in its base. One without changes is removed. */
  async function saveDraft(draft: Draft, known: Draft | undefined, base: Manifest): Promise<void> {
    const files = findChanges(base, applyChanges(base, draft.files));
    const hashes = Object.values(files).filter((hash) => hash !== null);
    if (Object.keys(files).length === 0) return drafts.remove(draft.owner);
    const sizes = await store.readSizes(hashes);
    const total = hashes.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
    if (total > MAX_DRAFT_BYTES) {
      throw new DeskError('draft-full', { kind: 'draft-too-large', most: MAX_DRAFT_BYTES, found: total });
    }
    if (Object.keys(applyChanges(base, files)).length > MAX_FILES) {
      throw new DeskError('draft-full', { kind: 'too-many-files', most: MAX_FILES });
    }
    await drafts.put({ ...draft, revision: (known?.revision ?? 0) + 1, at: now(), files }, known);
  }

  /** Undefined also for a draft that another person of the same name has left behind. */
  async function get(person: PersonName, choice: DraftChoice): Promise<Draft | undefined> {
    const draft = await drafts.get(ownerOf(person, choice));
    return isOf(draft, person) ? draft : undefined;
  }

  async function findDraft(person: DeskPerson, choice: DraftChoice): Promise<Draft> {
    const draft = await get(person, choice);
    if (draft === undefined) throw new DeskError('nothing-changed', { kind: 'no-draft' });
    return draft;
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

  async function summarize(draft: Draft): Promise<DraftSummary> {
    const base = await versions.read(draft.basedOn);
    const { basedOn, revision, at } = draft;
    const changes = await work.describeDifference(
      await store.readOutline(base.files),
      await store.readOutline(applyChanges(base.files, draft.files)),
    );
    return { basedOn, revision, at, changes };
  }
}

function ownerOf({ name }: PersonName, { draft }: DraftChoice): string {
  return draft === 'folder' ? FOLDER_DRAFT : name;
}

/** The draft of the site folder belongs to no person. */
function isOf(draft: Draft | undefined, { since }: PersonName): boolean {
  return draft?.since === undefined || draft.since === since;
}

function isJson([path]: readonly [string, Buffer]): boolean {
  return path.endsWith('.json');
}
