import { type DeskBody, type DeskUpload, MAX_DRAFT_BYTES } from '../../contract/desk/desk.ts';
import { createLimit } from '../../contract/create-limit.ts';
import { listBetterFormats } from '../site/better-formats.ts';
import { MAX_FILES, type SiteFiles } from '../site/read-site-folder.ts';
import { checkFilePath } from './check-upload.ts';
import {
  type DeskPerson,
  type DraftReader,
  type PersonName,
  createDraftReader,
  isJson,
  isOf,
  ownerOf,
} from './create-draft-reader.ts';
import { type Draft, DraftMovedError } from './create-draft-store.ts';
import { DeskError } from './desk-error.ts';
import type { BetterFormats } from './make-better-formats.ts';
import { type Manifest, type ManifestChanges, applyChanges, findChanges } from './manifest.ts';
import type { DeskStores } from './open-desk-stores.ts';
import type { DeskWork } from './work/jobs.ts';

/** What people do with their drafts. */
export type Drafts = Omit<DraftReader, 'readOne'> & {
  readonly edit: (person: DeskPerson, body: DeskBody<'edit'>) => Promise<void>;
  /** Resolves with what became of a file that was taken. `seen` is the hash of the file that it was made from. */
  readonly putFile: (person: DeskPerson, path: string, bytes: Buffer, seen?: string) => Promise<DeskUpload>;
  readonly removeFile: (person: DeskPerson, path: string) => Promise<void>;
  readonly discard: (person: PersonName, body: DeskBody<'discard'>) => Promise<void>;
  /** Applies a draft on top of what others have published. */
  readonly rebase: (person: DeskPerson, body: DeskBody<'rebase'>) => Promise<void>;
};

type DraftsDeps = {
  readonly stores: DeskStores;
  readonly work: DeskWork;
  readonly now: () => number;
};

/** How often a change is tried if another portal changes the same draft. */
const TRIES = 5;

/** Keeps what people are changing. Nothing here goes live. */
export function createDrafts({ stores, work, now }: DraftsDeps): Drafts {
  const { files: store, versions, drafts } = stores;
  const { readOne, ...reader } = createDraftReader({ stores, work });
  const inTurn = createLimit(1);

  return {
    ...reader,
    edit: (person, { file, edits, seen }) =>
      changeDraft(person, async (manifest) => {
        checkFilePath(file);
        if (!file.endsWith('.json') || !Object.hasOwn(manifest, file))
          throw new DeskError('unknown-file', { kind: 'no-json-file', path: file });
        if (seen !== undefined && seen !== manifest[file])
          throw new DeskError('draft-changed', { kind: 'other-change' });
        const bytes = await work.editFile(file, await readOne(manifest, file), edits);
        return store.putFiles(new Map([[file, bytes]]));
      }),
    putFile: async (person, path, bytes, seen) => {
      checkFilePath(path);
      await work.checkFile(path, bytes);
      const formats = await makeBetterFormats(work, path, bytes);
      const better = formats ?? new Map(listBetterFormats(path).map((other) => [other, null]));
      await changeDraft(person, async (manifest) => {
        const old = [...better.keys()].filter((other) => Object.hasOwn(manifest, other));
        const made = [...better].flatMap(([other, encoded]) => (encoded ? [[other, encoded] as const] : []));
        const put = await store.putFiles(new Map([[path, bytes], ...made]));
        // A file that comes again, because the answer was lost, is there already.
        if (seen !== undefined && manifest[path] !== seen && manifest[path] !== put[path])
          throw new DeskError('draft-changed', { kind: 'other-change' });
        return { ...Object.fromEntries(old.map((other) => [other, null])), ...put };
      });
      return { ok: true, isKeptAsIs: formats === undefined };
    },
    removeFile: (person, path) =>
      changeDraft(person, async (manifest) => {
        if (!Object.hasOwn(manifest, path)) throw new DeskError('unknown-file', { kind: 'no-file', path });
        return Object.fromEntries([path, ...listMadeOf(manifest, path)].map((each) => [each, null]));
      }),
    discard: (person, { seen, ...choice }) =>
      inTurn(async () => {
        const found = seen === undefined ? undefined : await reader.summarize(person, choice);
        if (found !== undefined && found.hash !== seen)
          throw new DeskError('draft-changed', { kind: 'changed-since-seen' }, { changes: found.changes });
        await drafts.remove(ownerOf(person, choice));
      }),
    rebase: (person, body) => inTurn(() => retryMoved(() => rebase(person, body))),
  };

  async function rebase(person: DeskPerson, { draft: choice, keep }: DeskBody<'rebase'>): Promise<void> {
    const draft = await reader.find(person, { draft: choice });
    const current = await versions.readCurrent();
    const three = {
      base: await store.readOutline((await versions.read(draft.basedOn)).files),
      theirs: await store.readOutline(current.files),
      mine: await store.readOutline(await reader.readManifest(draft)),
    };
    const { files, conflicts } = await work.mergeFiles(three, keep);
    if (conflicts.length > 0 && keep === undefined) {
      throw new DeskError('draft-conflict', { kind: 'same-change' }, { conflicts });
    }
    const changed = findChanges(current.files, await putOutline(store, files));
    await saveDraft({ ...draft, basedOn: current.number, files: changed }, draft, current.files);
  }

  /** Changes a draft after those who change it on this portal. */
  function changeDraft(
    person: DeskPerson,
    makeChange: (manifest: Manifest) => Promise<ManifestChanges>,
  ): Promise<void> {
    const changeOnce = async (): Promise<void> => {
      const known = await drafts.get(person.name);
      const draft = isOf(known, person) ? known : undefined;
      const basedOn = draft?.basedOn ?? (await versions.currentNumber());
      const base = await versions.read(basedOn);
      const changed = await makeChange(applyChanges(base.files, draft?.files ?? {}));
      const files = { ...draft?.files, ...changed };
      const { name: owner, since } = person;
      await saveDraft({ owner, since, basedOn, revision: 0, at: 0, files }, known, base.files);
    };
    return inTurn(() => retryMoved(changeOnce));
  }

  /** Keeps a draft, without what is as in its base. */
  async function saveDraft(draft: Draft, known: Draft | undefined, base: Manifest): Promise<void> {
    const files = findChanges(base, applyChanges(base, draft.files));
    await refuseTooLarge(store, files, base);
    await drafts.put({ ...draft, revision: (known?.revision ?? 0) + 1, at: now(), files }, known);
  }
}

/** Starts again if somebody changes the same draft on another portal. */
async function retryMoved(change: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof DraftMovedError)) throw error;
      if (tries === TRIES) throw new DeskError('draft-changed', { kind: 'other-change' });
    }
  }
}

/** The smaller formats that were made of an image, without those that are of another image, too. */
function listMadeOf(manifest: Manifest, path: string): readonly string[] {
  const made = listBetterFormats(path);
  const others = Object.keys(manifest).filter((other) => other !== path && !made.includes(other));
  const needed = new Set(others.flatMap(listBetterFormats));
  return made.filter((other) => Object.hasOwn(manifest, other) && !needed.has(other));
}

/** Puts the JSON files into the store. The others are there, and stand for their hashes. */
async function putOutline(store: DeskStores['files'], files: SiteFiles): Promise<Manifest> {
  const others = [...files].filter((file) => !isJson(file)).map(([path, hash]) => [path, String(hash)]);
  return {
    ...Object.fromEntries(others),
    ...(await store.putFiles(new Map([...files].filter(isJson)))),
  };
}

/** Undefined for an image that takes too long to encode. It is kept as it is. */
async function makeBetterFormats(
  work: DeskWork,
  path: string,
  bytes: Buffer,
): Promise<BetterFormats | undefined> {
  return work.makeBetterFormats(path, bytes).catch((error: unknown) => {
    if (error instanceof DeskError && error.code === 'took-too-long') return undefined;
    throw error;
  });
}

async function refuseTooLarge(
  store: DeskStores['files'],
  files: ManifestChanges,
  base: Manifest,
): Promise<void> {
  const hashes = Object.values(files).filter((hash) => hash !== null);
  const sizes = await store.readSizes(hashes);
  const total = hashes.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
  if (total > MAX_DRAFT_BYTES) {
    throw new DeskError('draft-full', { kind: 'draft-too-large', most: MAX_DRAFT_BYTES, found: total });
  }
  if (Object.keys(applyChanges(base, files)).length > MAX_FILES) {
    throw new DeskError('draft-full', { kind: 'too-many-files', most: MAX_FILES });
  }
}
