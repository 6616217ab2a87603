import { isDeepStrictEqual } from 'node:util';
import type { Database, Query, Row, Transaction } from '../store/database.ts';
import { insertRows } from '../store/many-rows.ts';
import { DeskError } from './desk-error.ts';
import type { ManifestChanges } from './manifest.ts';

/** Changes that are not live yet. They belong to one person, and are the same on every portal. */
export type Draft = {
  readonly owner: string;
  /** When the owner was added to the people, in ms since 1970. */
  readonly since: number | undefined;
  /** The version that the changes were made to. */
  readonly basedOn: number;
  /** Grows with each change. */
  readonly revision: number;
  /** When it was last changed, in ms since 1970. */
  readonly at: number;
  readonly files: ManifestChanges;
};

export type DraftStore = {
  /** Undefined if this person has changed nothing. */
  readonly get: (owner: string) => Promise<Draft | undefined>;
  /**
   * Keeps a draft in the place of the one that is known. One without changes is removed. Throws a `DraftMovedError` if the one that is
   * known is not there any more.
   */
  readonly put: (draft: Draft, known: Draft | undefined) => Promise<void>;
  readonly remove: (owner: string) => Promise<void>;
};

/** Somebody has changed the draft since it was read. */
export class DraftMovedError extends Error {
  override readonly name = 'DraftMovedError';
  readonly code = 'draft-moved';
}

/** The owner of the site folder's draft. No person has this name, because names have no line break. */
export const FOLDER_DRAFT = '\nfolder';

/** More than any team has people. */
const MAX_DRAFTS = 200;
type DraftRow = Row & {
  readonly owner_since: number | null;
  readonly based_on: number;
  readonly revision: number;
  readonly changed_at: number;
  readonly path: string;
  readonly hash: string | null;
};

export function createDraftStore({ read, transaction }: Pick<Database, 'read' | 'transaction'>): DraftStore {
  return {
    get: (owner) => readDraft(read, owner),
    put: (draft, known) =>
      transaction(async (tx) => {
        await requireDraft(tx, draft.owner, known);
        const isEmpty = Object.keys(draft.files).length === 0;
        if (known === undefined && !isEmpty) await requireRoom(tx);
        await removeDraft(tx, draft.owner);
        if (!isEmpty) await insertDraft(tx, draft);
      }),
    remove: (owner) => transaction((tx) => removeDraft(tx, owner)),
  };
}

/** Throws if the draft is not as it was read. */
export async function requireDraft(
  { query }: Transaction,
  owner: string,
  known: Draft | undefined,
): Promise<void> {
  if (isDeepStrictEqual(await readDraft(query, owner), known)) return;
  throw new DraftMovedError('the draft was changed meanwhile');
}

export async function removeDraft({ change }: Transaction, owner: string): Promise<void> {
  await change('delete from draft_files where brand = $brand and owner = $1', [owner]);
  await change('delete from drafts where brand = $brand and owner = $1', [owner]);
}

async function readDraft(query: Query, owner: string): Promise<Draft | undefined> {
  const rows = await query<DraftRow>(
    `select d.owner_since, d.based_on, d.revision, d.changed_at, f.path, f.hash
     from drafts as d join draft_files as f on f.brand = d.brand and f.owner = d.owner
     where d.brand = $brand and d.owner = $1 order by f.path`,
    [owner],
  );
  const [first] = rows;
  return (
    first && {
      owner,
      since: first.owner_since ?? undefined,
      basedOn: first.based_on,
      revision: first.revision,
      at: first.changed_at,
      files: Object.fromEntries(rows.map(({ path, hash }) => [path, hash])),
    }
  );
}

async function requireRoom({ query }: Transaction): Promise<void> {
  const [row] = await query<{ count: number }>('select count(*) as count from drafts where brand = $brand');
  if ((row?.count ?? 0) < MAX_DRAFTS) return;
  throw new DeskError('draft-full', { kind: 'too-many-drafts', most: MAX_DRAFTS });
}

async function insertDraft({ change }: Transaction, draft: Draft): Promise<void> {
  const { owner, since = null, basedOn, revision, at, files } = draft;
  await change(
    `insert into drafts (brand, owner, owner_since, based_on, revision, changed_at)
     values ($brand, $1, $2, $3, $4, $5)`,
    [owner, since, basedOn, revision, at],
  );
  await insertRows(change, {
    table: 'draft_files',
    columns: ['owner', 'path', 'hash'],
    rows: Object.entries(files).map(([path, hash]) => [owner, path, hash]),
    onConflict: '',
  });
}
