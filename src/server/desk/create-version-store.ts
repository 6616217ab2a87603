import type { DeskVersion } from '../../contract/desk/desk.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import type { Database, Query, Row, Transaction } from '../store/database.ts';
import { insertRows } from '../store/many-rows.ts';
import { DeskError, VersionMovedError } from './desk-error.ts';
import { type Draft, FOLDER_DRAFT, removeDraft, requireDraft } from './create-draft-store.ts';
import type { FileStore } from './create-file-store.ts';
import { setFolder } from './create-folder-store.ts';
import type { Manifest } from './manifest.ts';

/** A version with its files. */
export type VersionRecord = DeskVersion & { readonly files: Manifest };

/** Reads the number of a version. Undefined if the text is none. */
export function parseVersionNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** What goes live, and what nobody else may have changed since it was read. */
export type NewVersion = Omit<VersionRecord, 'number'> & {
  /** The number of the version that is live; 0 before the first. */
  readonly after: number;
  /** The draft that becomes the version, as it was read. It is removed. */
  readonly draft?: Draft | undefined;
  /** The hash of the site folders that are the same as the version, and the place of one of them. */
  readonly folder?: { readonly seen: string; readonly place?: string } | undefined;
  /** Names the request that makes the version. */
  readonly request?: string | undefined;
};

/** Every version that went live, whole. All portals have the same. */
export type VersionStore = {
  /** The number of the version that is live; 0 before the first. */
  readonly currentNumber: () => Promise<number>;
  /** Newest first. */
  readonly list: () => Promise<readonly DeskVersion[]>;
  /** Throws if there is no such version. */
  readonly read: (number: number) => Promise<VersionRecord>;
  /** The version that is live. Throws before the first. */
  readonly readCurrent: () => Promise<VersionRecord>;
  /** The version that is live. Undefined before the first. */
  readonly findCurrent: () => Promise<VersionRecord | undefined>;
  /** The version that a request has made. Undefined if it has made none. */
  readonly findDone: (request: string) => Promise<DeskVersion | undefined>;
  /**
   * Makes a version live, all of it or nothing. Throws a `VersionMovedError` or a `DraftMovedError` if somebody was faster.
   * All portals serve it within a second.
   */
  readonly commit: (version: NewVersion) => Promise<DeskVersion>;
  /** Keeps the last 200 versions, those of the last 90 days, and those in use. Removes all others, and files that no version has. */
  readonly prune: () => Promise<void>;
};

export type VersionStoreDeps = {
  readonly database: Pick<Database, 'read' | 'change' | 'transaction'>;
  readonly files: Pick<FileStore, 'touch'>;
  readonly now: () => number;
};

/** Announced when another version is live. */
export const SITE_TOPIC = 'site';

const KEEP_COUNT = 200;
const KEEP_MS = 90 * DAY_MS;
/** A removal of many files would hold up others. */
const REMOVE_AT_ONCE = 100;
/** The column holds no larger number, and PostgreSQL refuses to look for one. */
const MAX_NUMBER = 2 ** 31 - 1;
const VERSION = 'number, made_at, made_by, made_from, why';
const NEWEST = '(select max(number) from versions where brand = $brand)';

type VersionRow = Row & {
  readonly number: number;
  readonly made_at: number;
  readonly made_by: string;
  readonly made_from: DeskVersion['from'];
  readonly why: string;
};

export function createVersionStore({ database, files, now }: VersionStoreDeps): VersionStore {
  const { read, change, transaction } = database;
  return {
    currentNumber: () => readCurrentNumber(read),
    list: async () => {
      const rows = await read<VersionRow>(
        `select ${VERSION} from versions where brand = $brand order by number desc`,
      );
      return rows.map(toVersion);
    },
    read: async (number) =>
      (number > MAX_NUMBER ? undefined : await readVersion('$1', [number])) ?? refuseUnknown(number),
    readCurrent: async () => (await readVersion(NEWEST)) ?? refuseUnknown(0),
    findCurrent: () => readVersion(NEWEST),
    findDone: async (request) => {
      const [row] = await read<VersionRow>(
        `select ${VERSION} from versions where brand = $brand and number =
           (select version from done_requests where brand = $brand and request = $1)`,
        [request],
      );
      return row && toVersion(row);
    },
    commit: async (version) => {
      const missing = await files.touch(Object.values(version.files));
      if (missing.length > 0) {
        throw new DeskError('version-damaged', { kind: 'files-missing', files: missing.length });
      }
      return transaction((tx) => insertVersion(tx, version));
    },
    prune: async () => {
      await transaction(async (tx) => {
        await tx.change(
          `delete from versions where brand = $brand and made_at < $1 and number <= ${NEWEST} - ${KEEP_COUNT}
             and number not in (select based_on from drafts where brand = $brand)
             and number not in (select version from site_folders where brand = $brand)`,
          [now() - KEEP_MS],
        );
        await tx.change(
          `delete from version_files where brand = $brand
             and number not in (select number from versions where brand = $brand)`,
        );
        await tx.change(`delete from done_requests where brand = $brand and done_at < $now - ${DAY_MS}`);
      });
      // Pruning must not delete a file that was just stored and that no version or draft names yet.
      const isOld = `put_at < $now - ${DAY_MS}`;
      const unused = `select hash from files where brand = $brand and ${isOld}
        and not exists (select 1 from version_files as v where v.brand = files.brand and v.hash = files.hash)
        and not exists (select 1 from draft_files as d where d.brand = files.brand and d.hash = files.hash)
        limit ${REMOVE_AT_ONCE}`;
      // Checks the age a second time: on PostgreSQL a file may be stored again while this statement waits for its row.
      const remove = `delete from files where brand = $brand and ${isOld} and hash in (${unused})`;
      while ((await change(remove)) > 0);
    },
  };

  async function readVersion(number: string, values?: readonly number[]): Promise<VersionRecord | undefined> {
    const rows = await read<VersionRow & { readonly path: string; readonly hash: string }>(
      `select ${VERSION}, path, hash from versions natural join version_files
       where brand = $brand and number = ${number}`,
      values,
    );
    const [first] = rows;
    return (
      first && { ...toVersion(first), files: Object.fromEntries(rows.map(({ path, hash }) => [path, hash])) }
    );
  }
}

function refuseUnknown(number: number): never {
  throw new DeskError('unknown-version', { kind: 'no-version', number });
}

async function readCurrentNumber(query: Query): Promise<number> {
  const [row] = await query<{ number: number | null }>(`select ${NEWEST} as number`);
  return row?.number ?? 0;
}

async function insertVersion(tx: Transaction, version: NewVersion): Promise<DeskVersion> {
  const { after, at, by, from, why, files, draft, folder, request } = version;
  if ((await readCurrentNumber(tx.query)) !== after) {
    throw new VersionMovedError('somebody else has published meanwhile');
  }
  const number = after + 1;
  await tx.change(`insert into versions (brand, ${VERSION}) values ($brand, $1, $2, $3, $4, $5)`, [
    number,
    at,
    by,
    from,
    why,
  ]);
  await insertRows(tx.change, {
    table: 'version_files',
    columns: ['number', 'path', 'hash'],
    rows: Object.entries(files).map(([path, hash]) => [number, path, hash]),
    onConflict: '',
  });
  if (draft !== undefined) {
    await requireDraft(tx, draft.owner, draft);
    await removeDraft(tx, draft.owner);
  }
  if (folder !== undefined) {
    const { seen, place } = folder;
    if (place !== undefined) await setFolder(tx, { place, version: number, seen });
    await tx.change('update site_folders set version = $1 where brand = $brand and seen = $2', [
      number,
      seen,
    ]);
    await removeDraft(tx, FOLDER_DRAFT);
  }
  if (request !== undefined) {
    await tx.change(
      'insert into done_requests (brand, request, version, done_at) values ($brand, $1, $2, $now)',
      [request, number],
    );
  }
  await tx.announce(SITE_TOPIC);
  return { number, at, by, from, why };
}

function toVersion({ number, made_at, made_by, made_from, why }: VersionRow): DeskVersion {
  return { number, at: made_at, by: made_by, from: made_from, why };
}
